import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { root } from '../../scripts/settings.ts'
import { anyPort } from '../../db/ports.ts'
import { inTurns } from '../faults/random.ts'
import type { Row, Scene } from './row.ts'
import type { Stage } from './stage.ts'

type Change = Record<string, string | undefined>

interface Wrong {
  what: string
  change: Change
  /** What the start has to say. */
  says: RegExp
}

/** In the short form only the first ones. */
const WRONG: readonly Wrong[] = [
  { what: 'no TRUST_PROXY', change: { TRUST_PROXY: '' }, says: /TRUST_PROXY is missing/ },
  { what: 'a live key in a rehearsal', change: { STRIPE_SECRET_KEY: `sk_live_${'0'.repeat(24)}` }, says: /live key/ },
  { what: 'the sandbox without the switch', change: { REHEARSAL: '' }, says: /STRIPE_API_BASE.*REHEARSAL=1/ },
  { what: 'no content', change: { SANITY_PROJECT_ID: '' }, says: /SANITY_PROJECT_ID is missing/ },
  { what: 'no token of the content', change: { SANITY_READ_TOKEN: '' }, says: /SANITY_READ_TOKEN.* is missing/ },
  { what: 'no mail server', change: { SMTP_URL: '' }, says: /SMTP_URL.* is missing/ },
  { what: 'secrets of a clone', change: { EMBEDDED: '1', REHEARSAL: '' }, says: /EMBEDDED=1.*NODE_ENV=production/ },
  { what: 'loose limits', change: { LIMIT_FACTOR: '50' }, says: /LIMIT_FACTOR is for tests/ },
  { what: 'a short TOKEN_SECRET', change: { TOKEN_SECRET: 'short' }, says: /TOKEN_SECRET is not right/ },
  { what: 'no webhook secret', change: { STRIPE_WEBHOOK_SECRET: '' }, says: /STRIPE_WEBHOOK_SECRET.* is missing/ },
  { what: 'keys of two modes', change: { STRIPE_PUBLISHABLE_KEY: `pk_live_${'0'.repeat(24)}` }, says: /both/ },
  { what: 'a site without TLS', change: { SITE_URL: 'http://shop.example' }, says: /SITE_URL has to be https/ },
  {
    what: 'a database that is not there',
    change: { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' },
    says: /ECONNREFUSED/,
  },
  {
    what: 'another database server',
    change: { DATABASE_URL: 'mysql://a:b@127.0.0.1/c' },
    says: /DATABASE_URL is not right/,
  },
]

/** Starts the service with one thing changed; what it said until it ended, and with which code. */
async function tryStart({ stage }: Scene, change: Change): Promise<{ code: number | null; said: string }> {
  const env = { PATH: process.env['PATH'], ...stage.env, LOG_LEVEL: 'info', PORT: String(await anyPort()), ...change }
  const child = spawn(process.execPath, [stage.world.server.program], {
    env: env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()))
  const late = setTimeout(() => child.kill('SIGKILL'), 60_000)
  await once(child, 'close')
  clearTimeout(late)
  return { code: child.exitCode, said }
}

export const settings: Row = {
  name: 'settings',
  title: 'D-11 N-01 each wrong setting is named at the start, before anything listens, and no secret is shown',
  async run(scene) {
    const { stage, quick } = scene
    const { db } = stage.world
    await sql`create database rehearsal_old_schema`.execute(db)
    const empty = new URL(stage.world.databaseUrl)
    empty.pathname = '/rehearsal_old_schema'
    const busy = String(stage.world.replicas[0]!.port)
    const own: Wrong[] = [
      {
        what: 'a schema without migrations',
        change: { DATABASE_URL: empty.href },
        says: /lacks migrations.*npm run migrate/,
      },
      { what: 'a port that is taken', change: { PORT: busy }, says: /EADDRINUSE.*cannot listen on/s },
    ]
    const tries = quick ? WRONG.slice(0, 3) : [...WRONG, ...own]
    const found = await inTurns(
      tries.map(({ what, change, says }) => async () => {
        const { code, said } = await tryStart(scene, change)
        const secrets = Object.values({ ...stage.env, ...change }).filter((one) => one && /^(sk|whsec)_/.test(one))
        return [
          ...(code === 1 ? [] : [`${what}: ended with ${code}`]),
          ...(says.test(said) ? [] : [`${what}: not named: ${said.trim().slice(0, 200)}`]),
          ...(said.includes('"listening"') ? [`${what}: it listened`] : []),
          ...(secrets.some((one) => said.includes(one!)) ? [`${what}: a secret was shown`] : []),
        ]
      }),
      2,
    )
    await sql`drop database rehearsal_old_schema with (force)`.execute(db)
    const good = found.filter(({ length }) => length === 0).length
    return { figures: `${good} of ${tries.length} wrong settings named`, violations: found.flat() }
  },
}

/** What `npm run doctor` says of the whole: it asks every part, us through the public address and TLS. */
export async function examine(
  { env, certificate }: Stage,
  change: Change = {},
  trusted = certificate,
): Promise<string[]> {
  const child = spawn(process.execPath, [join(root, 'payments-service/doctor.command.ts')], {
    env: { PATH: process.env['PATH'], ...env, NODE_EXTRA_CA_CERTS: trusted, ...change } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (part: Buffer) => (said += part.toString()))
  await once(child, 'close')
  return said.split('\n').filter(Boolean)
}

export const doctor: Row = {
  name: 'doctor',
  title: 'D-11 the doctor finds nothing that puts buyers or money at risk, asking through TLS and the balancer',
  long: true,
  async run({ stage }) {
    const lines = await examine(stage)
    const of = (mark: string) => lines.filter((line) => line.startsWith(mark))
    return {
      figures: `${of('ok').length} good, ${of('WARN').length} warnings`,
      violations: [...of('FAIL'), ...(of('ok').length === 0 ? [`it said nothing good: ${lines.join('; ')}`] : [])],
    }
  },
}
