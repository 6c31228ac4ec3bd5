/** haproxy in front of the replicas and the server that has the site's files: TLS, checks, routes, what is logged. */
import { errorOf } from '../../contract/errors.ts'
import { proxies } from '../../contract/site-routes.ts'

export interface HaproxyOptions {
  /** Where it listens; `secure` with the certificate and its key in one file, or a folder of such. */
  listen: { plain?: string; secure: string; certificate: string }
  /** The service's replicas, as `host:port`. */
  servers: readonly string[]
  /** nginx with the site, as `host:port`. */
  site: string
  /** How long a replica serves on that stops: it is asked five times meanwhile. */
  drainSeconds: number
  /** Whom it runs as; itself where it may not choose. */
  user?: string | undefined
}

/** The table's routes of the service, in haproxy's words. */
const ofService = (json: boolean) =>
  proxies
    .filter(({ path, to }) => to === 'api' && path.startsWith('/api/') === json)
    .map(({ path }) => (path.endsWith('/*') ? `{ path_beg ${path.slice(0, -1)} }` : `{ path ${path} }`))

/** The answer of the API while no replica answers: what its pages understand. */
function serviceDown(): string[] {
  const code = 'service_unavailable'
  const { words } = errorOf(code)
  const body = `{"error":{"code":"${code}","message":"${words}","requestId":"%ID"}}`.replace(/[ "\\]/g, '\\$&')
  return [502, 503, 504].map(
    (status) =>
      `  http-error status ${status} content-type application/json hdr Cache-Control no-store ` +
      `hdr Retry-After 5 hdr X-Request-Id %ID lf-string ${body}`,
  )
}

export function haproxyFile({ listen, servers, site, drainSeconds, user }: HaproxyOptions): string {
  const check = `check inter ${drainSeconds * 200}ms fall 2 rise 1`
  const replicas = (more: (name: string) => string) => [
    ...servers.map((server, index) => `  server replica_${index + 1} ${server} ${more(`replica_${index + 1}`)}`),
    // while none is ready they are asked all the same: what they answer says more, and a check may be late by itself
    '  option allbackups',
    ...servers.map((server, index) => `  server replica_${index + 1}_anyway ${server} backup`),
  ]
  const uses = (json: boolean, backend: string) => ofService(json).map((one) => `  use_backend ${backend} if ${one}`)
  return [
    'global',
    '  log stdout format raw local0 info',
    '  hard-stop-after 60s',
    ...(user ? [`  user ${user}`, `  group ${user}`] : []),
    '  ssl-default-bind-options ssl-min-ver TLSv1.2',
    '',
    'defaults',
    '  mode http',
    '  log global',
    '  timeout connect 2s',
    '  timeout http-request 15s',
    '  timeout http-keep-alive 65s',
    '  timeout client 65s',
    // the service answers within 35 s
    '  timeout server 40s',
    '  timeout queue 5s',
    // as long as /readyz may take
    '  timeout check 2s',
    // only what was never sent is sent to another replica
    '  option redispatch 1',
    '  retries 3',
    '  retry-on conn-failure',
    '',
    'frontend public',
    ...(listen.plain ? [`  bind ${listen.plain}`] : []),
    `  bind ${listen.secure} ssl crt ${listen.certificate} alpn h2,http/1.1`,
    '  http-request redirect scheme https code 301 unless { ssl_fc }',
    '  unique-id-format %[uuid()]',
    '  unique-id-header X-Request-Id',
    '  http-request del-header X-Request-Id',
    '  http-request set-header X-Forwarded-Proto https',
    '  option forwardfor',
    // addresses contain ids and tokens: words are logged, whatever else is between them is not
    `  http-request set-var(txn.route) 'path,regsub("/[^/]*[^a-z/-][^/]*","/:id",g),regsub("/[a-z-]{31,}","/:id",g)'`,
    `  log-format '%[date,utime("%Y-%m-%dT%H:%M:%SZ")] %ci %HM %[var(txn.route)] %ST %B %Ta %b/%s %ID'`,
    ...uses(true, 'service'),
    ...uses(false, 'service_pages'),
    '  default_backend site',
    '',
    'backend service',
    '  option httpchk GET /readyz',
    '  http-check expect status 200',
    ...serviceDown(),
    ...replicas(() => check),
    '',
    '# the pages of operators, which are no JSON',
    'backend service_pages',
    ...replicas((name) => `track service/${name}`),
    '',
    'backend site',
    `  server site ${site}`,
    '',
  ].join('\n')
}
