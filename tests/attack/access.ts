import { randomBytes, randomUUID } from 'node:crypto'
import { type Attack, fill, visit } from './attack.ts'
import { sample } from './schema.ts'

/** Endpoints that need only an id, because they reveal nothing and only mail the visit's own address. */
const BY_ID_ALONE = new Set(['resumeLink'])

/** BOLA: every endpoint of a visit, with every token except its own. */
export const access: Attack = {
  name: 'access',
  title: 'no endpoint of a visit opens without its own token',
  async run({ target, world }) {
    const violations: string[] = []
    const victim = await visit({ target })
    await target.json('PUT', `/api/sessions/${victim.sessionId}/email`, { email: 'victim@example.com' }, victim.headers)
    const stranger = await visit({ target })
    const name = victim.headers['cookie']?.split('=')[0] ?? ''
    const foreign = stranger.headers['cookie']?.split('=')[1] ?? ''
    const held: Record<string, string> = {
      none: '',
      "another's": stranger.headers['cookie'] ?? '',
      relabelled: `${name}=${foreign}`,
      guessed: `${name}=${randomBytes(32).toString('base64url')}`,
      'the id': `${name}=${victim.sessionId}`,
    }
    const before = await rowOf(world.db, victim.sessionId)
    let tried = 0
    for (const endpoint of await target.endpoints()) {
      if (!endpoint.parameters.includes('sessionId') || BY_ID_ALONE.has(endpoint.name)) continue
      for (const [kind, cookie] of Object.entries(held)) {
        for (const sessionId of [
          victim.sessionId,
          victim.sessionId.toUpperCase(),
          `${victim.sessionId}%00`,
          randomUUID(),
        ]) {
          tried += 1
          const path = fill(endpoint.path, {}).replace('/x', `/${sessionId}`)
          const headers = {
            'x-forwarded-for': `198.19.${tried % 250}.${(tried >> 8) % 250}`,
            ...(cookie ? { cookie } : {}),
          }
          const reply = endpoint.body
            ? await target.json(endpoint.method, path, sample(endpoint.body), headers)
            : await target.send({ method: endpoint.method, path, headers })
          if (reply.status < 400 || reply.status >= 500)
            violations.push(`${endpoint.name} with ${kind}: ${reply.status}`)
        }
      }
    }
    if (JSON.stringify(await rowOf(world.db, victim.sessionId)) !== JSON.stringify(before))
      violations.push('a row of the victim changed')
    return { violations, tried: `${tried} requests` }
  },
}

function rowOf(db: Parameters<Attack['run']>[0]['world']['db'], sessionId: string) {
  return db.selectFrom('sessions').selectAll().where('id', '=', sessionId).executeTakeFirst()
}
