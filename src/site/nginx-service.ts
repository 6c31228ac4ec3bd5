/** How nginx passes requests on to the replicas of the service, and what it logs. */
import { errorOf } from '../../contract/errors.ts'

export interface NginxOptions {
  /** The folder of the site. */
  root: string
  /** Its port, or `address:port` to be reached there alone: 8080 unless given. */
  listen?: string
  /** The service's replicas, as `host:port`. */
  servers: readonly string[]
  /** The folder of the logs. */
  logs: string
  transportSecurity?: string
}

/** What nginx.conf has in front of its server block; the file is included in the block `http`. */
export function nginxHead({ servers }: NginxOptions): string[] {
  const word = '(?:/[a-z-]{1,30}(?=/|$))'
  return [
    'upstream payments_service {',
    // a replica that refuses is asked again by the next request: of two that restart, none is ever all there is
    ...servers.map((server) => `  server ${server} max_fails=0;`),
    '  keepalive 32;',
    // shorter than a drain: no connection is still kept when a replica that stops ends idle ones
    '  keepalive_timeout 1s;',
    '}',
    // addresses contain ids and tokens: words are logged, whatever else is between them is not
    'map $uri $logged_route {',
    '  default /;',
    `  "~^(?<route_only>${word}+)/?$" $route_only;`,
    `  "~^(?<route_head>${word}+)/[^/]+(?<route_tail>${word}*)/?$" $route_head/:id$route_tail;`,
    `  "~^(?<route_start>${word}+)/" $route_start/:rest;`,
    '}',
    "log_format routes '$time_iso8601 $remote_addr $request_method $logged_route $status $body_bytes_sent '",
    "  '$request_time $upstream_status $request_id';",
  ]
}

/**
 * One published route of the service. A connection that breaks is tried again at another replica; a request of the API
 * also where it changes something: a replica that stops resets what it has not taken yet, which cannot be known here
 * from what it took, and each of these requests may be sent twice, as pages do by themselves (tests/faults).
 */
export function nginxProxy(from: string, json: boolean): string {
  const lines = [
    'proxy_pass http://payments_service;',
    'proxy_http_version 1.1;',
    "proxy_set_header Connection '';",
    'proxy_set_header Host $host;',
    'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
    'proxy_set_header X-Forwarded-Proto $scheme;',
    'proxy_set_header X-Request-Id $request_id;',
    'proxy_connect_timeout 2s;',
    `proxy_next_upstream error timeout${json ? ' non_idempotent' : ''};`,
    ...(json ? ['error_page 502 504 = @service_down;'] : []),
  ]
  return `  location ~ ${from} {\n${lines.map((line) => `    ${line}`).join('\n')}\n  }`
}

/** The answer of the API while no replica answers: what its pages understand. */
export function nginxServiceDown(): string {
  const code = 'service_unavailable'
  const { status, words } = errorOf(code)
  const body = `{"error":{"code":"${code}","message":"${words}","requestId":"$request_id"}}`
  return [
    '  location @service_down {',
    '    internal;',
    '    default_type application/json;',
    ...Object.entries({ 'Cache-Control': 'no-store', 'Retry-After': '5', 'X-Request-Id': '$request_id' }).map(
      ([name, value]) => `    add_header ${name} ${value} always;`,
    ),
    `    return ${status} '${body}';`,
    '  }',
  ].join('\n')
}
