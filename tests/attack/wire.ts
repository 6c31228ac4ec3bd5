import { gzipSync, brotliCompressSync } from 'node:zlib'
import { type Attack, quantile, visit } from './attack.ts'

const post = (headers: string, body: string): string =>
  `POST /api/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`
const HIDDEN = 'GET /api/config HTTP/1.1\r\nHost: x\r\n\r\n'

/** Framing that two programs could read differently. */
const SMUGGLED: Record<string, string> = {
  'both lengths': post('Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${HIDDEN}`),
  'two lengths': post('Content-Length: 2\r\nContent-Length: 40', `{}${HIDDEN}`),
  'a signed length': post('Content-Length: +2', `{}${HIDDEN}`),
  'a length of words': post('Content-Length: 2, 2', `{}${HIDDEN}`),
  'a hidden encoding': post('Transfer-Encoding : chunked\r\nContent-Length: 2', `{}${HIDDEN}`),
  'an encoding twice': post('Transfer-Encoding: identity, chunked, identity', `0\r\n\r\n${HIDDEN}`),
  'a folded header': post('Content-Length: 2\r\n Transfer-Encoding: chunked', `{}${HIDDEN}`),
  'a chunk of words': post('Transfer-Encoding: chunked', `zz\r\n{}\r\n0\r\n\r\n${HIDDEN}`),
  'a bare line feed': `GET /healthz HTTP/1.1\nHost: x\nX: y\n\n${HIDDEN}`,
  'a NUL in a header': `GET /healthz HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n${HIDDEN}`,
  'no host twice': `GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n${HIDDEN}`,
  'another version': `GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n${HIDDEN}`,
}

/** Request smuggling: nothing after an ambiguous end may be taken for a separate request. */
export const smuggling: Attack = {
  name: 'smuggling',
  title: 'a request whose end is unclear is refused, and nothing behind it is answered',
  async run({ target }) {
    const violations: string[] = []
    for (const [name, bytes] of Object.entries(SMUGGLED)) {
      const got = await target.raw(bytes)
      if (/"pixelId"|"stripe|publishableKey/.test(got)) violations.push(`${name}: what was hidden is answered`)
      if (!(await target.alive())) violations.push(`${name}: the service is gone`)
    }
    return { violations, tried: `${Object.keys(SMUGGLED).length} requests` }
  },
}

/** Bodies that are small on the wire and large, deep or endless once decoded. */
export const bombs: Attack = {
  name: 'bombs',
  title: 'bodies that unpack, nest or never end are refused, and hold nobody else up',
  async run(run) {
    const { target } = run
    const violations: string[] = []
    const own = await visit(run)
    const path = `/api/sessions/${own.sessionId}/answers`
    const huge = Buffer.alloc(run.count(50, 10) * 2 ** 20, 0x20)
    const deep = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times)
    const bodies: [string, Buffer | string, Record<string, string>][] = [
      ['gzip', gzipSync(huge), { 'content-encoding': 'gzip' }],
      ['brotli', brotliCompressSync(huge), { 'content-encoding': 'br' }],
      ['lists in lists', deep('[', ']', 50_000), {}],
      ['objects in objects', deep('{"a":', '}', 15_000).replace(':}', ':1}'), {}],
      ['many keys', `{${Array.from({ length: 9_000 }, (_, n) => `"k${n}":1`).join()}}`, {}],
      ['the same key', `{${Array.from({ length: 12_000 }, () => '"a":1').join()}}`, {}],
      ['a prototype', '{"__proto__":{"answers":[]},"constructor":{"prototype":{}}}', {}],
      ['a large number', `{"answers":${'9'.repeat(90_000)}}`, {}],
      ['escapes', `{"answers":"${'\\u0000'.repeat(15_000)}"}`, {}],
      ['too large', `{"answers":"${'x'.repeat(300_000)}"}`, {}],
    ]
    for (const [name, body, extra] of bodies) {
      for (const [method, to] of [
        ['POST', path],
        ['PUT', `/api/sessions/${own.sessionId}/email`],
        ['POST', '/api/track'],
      ] as const) {
        const length = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
        const during: number[] = []
        const sent = target
          .send({ method, path: to, headers: { ...own.headers, ...length, ...extra }, body })
          .catch(() => undefined)
        for (let n = 0; n < 3; n++) during.push((await target.send({ path: '/healthz' })).milliseconds)
        const reply = await sent
        if (reply && (reply.status < 400 || reply.status >= 500))
          violations.push(`${name} to ${method}: ${reply.status}`)
        if (Math.max(...during) > 1_000)
          violations.push(`${name} held others up for ${Math.round(Math.max(...during))} ms`)
      }
    }
    return { violations, tried: `${bodies.length * 3} bodies` }
  },
}

/** Connections that never finish what they began. */
export const slow: Attack = {
  name: 'slow',
  title: 'clients that dribble their requests hold nobody else up',
  async run(run) {
    const { target } = run
    const many = run.count(400, 100)
    const calm = await timesOf(run, 30)
    const sockets = Array.from({ length: many }, (_, n) => {
      const socket = target.socket()
      socket.write(n % 2 ? 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-' : post('Content-Length: 5000', '{"a"'))
      return socket
    })
    const dribble = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write('a')), 500)
    const during = await timesOf(run, run.count(200, 40))
    clearInterval(dribble)
    for (const socket of sockets) socket.destroy()
    const [before, worst] = [quantile(calm, 0.99), quantile(during, 0.99)]
    const violations = worst > Math.max(3 * before, 500) ? [`p99 ${before.toFixed(0)} → ${worst.toFixed(0)} ms`] : []
    return { violations, tried: `${many} connections, p99 ${before.toFixed(0)} → ${worst.toFixed(0)} ms` }
  },
}

async function timesOf(run: Parameters<Attack['run']>[0], count: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n++)
    times.push(
      (await run.target.send({ path: '/api/config', headers: { 'x-forwarded-for': `198.51.100.${n % 250}` } }))
        .milliseconds,
    )
  return times
}
