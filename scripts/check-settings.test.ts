import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkSettings, withSecrets } from './check-settings.ts'
import { service, standIns, type World } from './programs.ts'
import { newSecrets, usualPorts } from './settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'settings-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const world = (configured: NodeJS.ProcessEnv = {}): World => ({
  ports: usualPorts,
  secrets: newSecrets(),
  dataDir: folder,
  databaseUrl: configured['DATABASE_URL'] ?? '',
  configured,
})
const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_abcdefgh1234', STRIPE_PUBLISHABLE_KEY: 'pk_test_abcdefgh1234' }

test('N-03 npm start has nothing against embedded defaults, or the test keys of an account', async () => {
  await checkSettings(world())
  await checkSettings(world({ ...STRIPE, LOG_LEVEL: 'warn' }))
})

test.each([
  [{ DATABASE_URL: 'shop' }, ['DATABASE_URL is not right: has to be a postgres:// address']],
  [{ STRIPE_SECRET_KEY: STRIPE.STRIPE_SECRET_KEY }, ['STRIPE_PUBLISHABLE_KEY is missing']],
  [
    { STRIPE_PUBLISHABLE_KEY: STRIPE.STRIPE_PUBLISHABLE_KEY },
    ['STRIPE_SECRET_KEY is missing: STRIPE_PUBLISHABLE_KEY would have no account'],
  ],
  [{ META_PIXEL_ID: '12' }, ['META_PIXEL_ID and META_CAPI_TOKEN go together']],
  [{ NODE_ENV: 'production' }, ['EMBEDDED=1 is for development, tests and demos: NODE_ENV=production refuses']],
  [
    { SMTP_URL: 'mail.example', SITE_URL: 'shop.example', TRUST_PROXY: 'maybe' },
    [
      'SITE_URL is not right: has to be an address like https://shop.example',
      'TRUST_PROXY is not right: has to be false, the number of proxies in front',
      'SMTP_URL is not right: has to be like smtps://name:password@mail.example:465',
    ],
  ],
])('N-03 npm start names what is wrong in %o before it starts anything', async (configured, problems) => {
  const { message } = await checkSettings(world(configured)).then(
    () => new Error('nothing was refused'),
    (error: Error) => error,
  )
  const lines = message.split('\n').filter((line) => line.startsWith('  - '))
  expect(lines).toHaveLength(problems.length)
  for (const problem of problems) expect(message).toContain(`  - ${problem}`)
  expect(message).toContain('Nothing was started.')
})

test('N-03 a secret of npm start may stand in a file, and one that cannot be read is named', () => {
  const file = join(folder, 'smtp')
  writeFileSync(file, 'smtps://mail.example:465\n')
  const one = world(withSecrets({ SMTP_URL_FILE: file }))
  expect(standIns(one).mailbox).toBe(false)
  expect(service(one).env['SMTP_URL']).toBe('smtps://mail.example:465')
  expect(() => withSecrets({ SMTP_URL_FILE: join(folder, 'nowhere') })).toThrow(
    '  - SMTP_URL_FILE is not right: the file cannot be read (ENOENT)',
  )
})
