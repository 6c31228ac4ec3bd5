import { type Attack, fill, visit } from './attack.ts'
import { sample } from './schema.ts'

const FOREIGN = ['cross-site', 'same-site', 'Cross-Site', 'x', ''] as const

const HOSTILE: Record<string, string>[] = [
  { host: 'evil.example' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'javascript' },
  { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' },
  { 'x-original-url': '/operator', 'x-rewrite-url': '/operator' },
  { origin: 'https://evil.example', referer: 'https://evil.example/' },
  { 'x-request-id': 'x'.repeat(8_000) },
  { 'x-forwarded-for': Array.from({ length: 500 }, (_, n) => `10.0.0.${n % 250}`).join(', ') },
  { cookie: Array.from({ length: 500 }, (_, n) => `__Host-funnel.${n}=${'x'.repeat(20)}`).join('; ') },
  { cookie: '__proto__=1; constructor=2; =; ;;;; funnel.=; __Host-funnel.__proto__=x' },
  { 'content-type': 'application/json; charset=utf-7' },
  { 'content-encoding': 'gzip, gzip, gzip' },
  { expect: 'something-else' },
  { range: 'bytes=0-,0-,0-,0-' },
  { 'accept-language': '-'.repeat(7_000) },
]

/** Headers that none of our pages sends. */
export const headers: Attack = {
  name: 'headers',
  title: 'foreign origins change nothing, hostile headers are no server errors and open nothing',
  async run({ target }) {
    const violations: string[] = []
    let tried = 0
    const own = await visit({ target })
    for (const { name, method, path, body } of await target.endpoints()) {
      const at = fill(path, { sessionId: own.sessionId })
      for (const site of method === 'GET' ? [] : FOREIGN) {
        tried += 1
        const given = { ...own.headers, 'x-forwarded-for': `203.0.${tried % 250}.9`, 'sec-fetch-site': site }
        const reply = body
          ? await target.json(method, at, sample(body), given)
          : await target.send({ method, path: at, headers: given })
        if (reply.status !== 403) violations.push(`${name} from "${site}": ${reply.status}`)
      }
      for (const hostile of HOSTILE) {
        tried += 1
        const given = { 'x-forwarded-for': `203.1.${tried % 250}.${(tried >> 8) % 250}`, ...hostile }
        const reply = await target.send({ method: 'GET', path: at, headers: given })
        if (reply.status >= 500) violations.push(`${name} with ${Object.keys(hostile).join()}: ${reply.status}`)
        if (Object.keys(reply.headers).some((header) => header.startsWith('access-control-')))
          violations.push(`${name} allows another origin`)
        if (/evil\.example/.test(`${JSON.stringify(reply.headers)} ${reply.text}`))
          violations.push(`${name} repeats a foreign host`)
      }
    }
    return { violations, tried: `${tried} requests` }
  },
}
