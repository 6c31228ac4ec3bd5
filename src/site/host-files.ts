/**
 * The routing table in the formats of the hosts: `_redirects` and `_headers` (Netlify), nginx.conf.
 */
import {
  asset,
  contentSecurityPolicy,
  everywhere,
  immutable,
  type InlineHashes,
  leastPolicy,
  pageHeaders,
  textTypes,
} from './headers.ts'
import { nginxHead, nginxProxy, nginxServiceDown, type NginxOptions } from './nginx-service.ts'
import { hostFiles, type PageClass, type PageRoute, pages, proxies, redirects } from '../../contract/site-routes.ts'

/** Inline hashes by page of the built site: `''` for the root, `checkout`, `legal/terms-and-conditions` … */
export type PageHashes = Record<string, InlineHashes>

export const hsts = 'max-age=31536000'
/** For a domain whose every host has TLS. */
export const hstsOfAllHosts = `${hsts}; includeSubDomains`
const published = proxies.filter((route) => route.to === 'api')
const none: InlineHashes = { scripts: [], styles: [] }

/** Pages shown for an error; they are files of their own without an address. */
const troubles = ['404', '500']
const fileOf = (shell: string) => `/${shell ? `${shell}/` : ''}index.html`

/** The class of a page of the built site, by its folder. */
export function classOf(shell: string): PageClass {
  return pages.find((route) => route.shell === shell)?.page ?? 'public'
}

function headersOf(shell: string, hashes: PageHashes, status?: 404): Record<string, string> {
  const page = classOf(shell)
  return {
    ...pageHeaders(page, status ?? 200),
    'Content-Security-Policy': contentSecurityPolicy(page, hashes[shell] ?? none),
  }
}

/** `_redirects`. `apiUrl` is the address of the service, for hosts that proxy; without it the host's own rules must. */
export function redirectsFile(apiUrl: string | undefined): string {
  const lines = [
    ...(apiUrl ? published.map((route) => `${route.path} ${apiUrl}${route.path.replace('*', ':splat')} 200`) : []),
    ...redirects
      .filter((route) => `${route.path}/` !== route.to)
      .map((route) => `${route.path} ${route.to} ${route.status}`),
    ...pages
      .filter((route) => route.path !== `/${route.shell}`)
      .map((route) => `${route.path} /${route.shell}/ ${route.status ?? 200}`),
  ]
  return `${lines.join('\n')}\n`
}

/** `_headers`: one block per page; apart from `/*`, no two blocks match one address (hosts join the values of both). */
export function headersFile(hashes: PageHashes, transportSecurity = hsts): string {
  const blocks: [string, Record<string, string>][] = [
    ['/*', { ...everywhere, 'Strict-Transport-Security': transportSecurity, ...leastPolicy }],
    [`${immutable.prefix}*`, { 'Cache-Control': immutable.value }],
    ['/.well-known/*', { 'Content-Type': `${textTypes['txt']}; charset=utf-8` }],
  ]
  const described = new Set<string>()
  const add = (path: string, headers: Record<string, string>) => {
    if (described.has(path)) return
    described.add(path)
    blocks.push([path, headers])
  }
  for (const shell of Object.keys(hashes)) {
    // these hosts also serve a page by its file name
    if (troubles.includes(shell)) {
      add(`/${shell}.html`, headersOf(shell, hashes, 404))
      continue
    }
    add(fileOf(shell), headersOf(shell, hashes))
    add(`/${shell}`, headersOf(shell, hashes))
    if (shell) add(`/${shell}/`, headersOf(shell, hashes))
  }
  for (const route of pages.filter((one) => one.status !== 404)) add(route.path, headersOf(route.shell, hashes))
  return blocks
    .map(([path, headers]) =>
      [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n'),
    )
    .join('\n\n')
    .concat('\n')
}

/** The host's nginx.conf: the replicas of the service, what is logged, and a server block. */
export function nginxFile(hashes: PageHashes, options: NginxOptions): string {
  const { transportSecurity = hsts, listen = '8080' } = options
  const pattern = (path: string) =>
    `^${path === '/' ? '/' : path.replace(/\/:\w+/g, '/[^/]+').replace(/\/\*$/, '(/.*)?') + '/?'}$`
  const set = (headers: Record<string, string>) =>
    Object.entries({ ...everywhere, 'Strict-Transport-Security': transportSecurity, ...leastPolicy, ...headers })
      .map(([name, value]) => `    add_header ${name} '${value.replaceAll("'", "\\'")}' always;`)
      .join('\n')
  const shows = (location: string, file: string, headers: Record<string, string>, inside = '') =>
    `  location ${location} {${inside}\n    try_files ${file} =404;\n${set(headers)}\n  }`
  const page = (route: PageRoute) =>
    route.status === 404
      ? // the pages that are there have been found before
        `  location ~ ${pattern(route.path)} { error_page 404 ${fileOf(route.shell)}; return 404; }`
      : shows(`~ ${pattern(route.path)}`, fileOf(route.shell), headersOf(route.shell, hashes))
  const missing = pages.filter((route) => route.status === 404)
  const own = Object.keys(hashes).filter(
    (shell) => !pages.some((route) => route.shell === shell) && !troubles.includes(shell),
  )
  return [
    ...nginxHead(options),
    'server {',
    `  listen ${listen};`,
    `  access_log ${options.logs}/access.log routes;`,
    // an error's line has the whole address; its status is in the access log
    `  error_log ${options.logs}/error.log crit;`,
    `  root ${options.root};`,
    '  error_page 404 /404.html;',
    // the service's own answers pass through; this is for when the service is down
    '  error_page 500 502 503 504 /500.html;',
    '  gzip_static on;',
    '  gzip_vary on;',
    // also to what is in front: an nginx with TLS asks by HTTP/1.0, and a CDN says `Via`
    '  gzip_http_version 1.0;',
    '  gzip_proxied any;',
    '  server_tokens off;',
    '  charset utf-8;',
    // older MIME type lists use another name for scripts
    `  charset_types ${[...Object.values(textTypes), 'application/javascript'].join(' ')};`,
    // behind a balancer, this server's port and scheme are not the visitor's
    '  absolute_redirect off;',
    `  location ~ ^(${hostFiles.map((file) => file.replaceAll('.', '\\.')).join('|')})$ { return 404; }`,
    // pages have their addresses and headers above and below; the files themselves have neither
    '  location ~ \\.(html|br|gz)$ { return 404; }',
    // error pages have a policy too, and are not addresses of their own
    ...troubles.map((shell) =>
      shows(`= /${shell}.html`, `/${shell}.html`, headersOf(shell, hashes, 404), '\n    internal;'),
    ),
    ...missing.map(({ shell }) =>
      shows(`= ${fileOf(shell)}`, fileOf(shell), headersOf(shell, hashes, 404), '\n    internal;'),
    ),
    ...published.map(({ path }) => nginxProxy(pattern(path), path.startsWith('/api/'))),
    nginxServiceDown(),
    ...redirects
      .filter((route) => `${route.path}/` !== route.to)
      .map((route) => {
        let group = 0
        // nginx matches the decoded path and copies a group into the header unchanged: it must not contain a line break
        const from = route.path.replace(/:\w+/g, '([A-Za-z0-9-]{1,64})')
        const to = route.to.replace(/:\w+/g, () => `$${++group}`)
        return `  location ~ "^${from}/?$" { return ${route.status} ${to}$is_args$args; }`
      }),
    '  location = /app { return 301 /app/$is_args$args; }',
    `  location ${immutable.prefix} {\n    try_files $uri =404;\n${set({ 'Cache-Control': immutable.value })}\n  }`,
    // exact addresses, which nginx finds at once: a list of patterns would be searched for each of thousands of pages
    ...own.flatMap((shell) =>
      ['', '/'].map((end) => shows(`= /${shell}${end}`, fileOf(shell), headersOf(shell, hashes))),
    ),
    ...pages.map(page),
    // older MIME type lists do not know it
    ...['/manifest.webmanifest', '/app.webmanifest'].map((manifest) =>
      shows(
        `= ${manifest}`,
        '$uri',
        { 'Cache-Control': asset.value },
        '\n    types { }\n    default_type application/manifest+json;',
      ),
    ),
    shows('/', '$uri', { 'Cache-Control': asset.value }),
    '}',
    '',
  ].join('\n')
}
