/** Secrets in files, NAME_FILE, instead of in variables. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { namedDatabase } from '../db/named-database.ts'
import { OPTIONAL_SECRETS, SECRETS } from '../db/secret-files.ts'
import { type Config, readConfig } from './config.ts'
import { problemsOf } from './config.fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'eye-secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const secrets: Record<(typeof SECRETS)[number], string> = {
  DATABASE_URL: 'postgres://u:p@pooler.example/funnel',
  DATABASE_URL_DIRECT: 'postgres://u:p@db.example/funnel',
  DATABASE_URL_READ: 'postgres://u:p@replica.example/funnel',
  TOKEN_SECRET: 'x'.repeat(32),
  STRIPE_SECRET_KEY: 'sk_test_12345678',
  STRIPE_WEBHOOK_SECRET: 'whsec_12345678',
  SANITY_READ_TOKEN: 'sanity-token',
  SANITY_TOKEN: 'sanity-editor-token',
  SMTP_URL: 'smtps://u:p@mail.example',
  META_CAPI_TOKEN: 'meta-token',
  ALERT_URL: 'https://hooks.example/secret',
  OTEL_EXPORTER_OTLP_HEADERS: 'api-key=otel-key,x-team=a%20b',
}
const others = {
  NODE_ENV: 'production',
  SITE_URL: 'https://example.com',
  TRUST_PROXY: '1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_12345678',
  SANITY_PROJECT_ID: 'abcd1234',
  META_PIXEL_ID: '1',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example/',
}
const inFiles = Object.fromEntries(Object.entries(secrets).map(([name, text]) => [`${name}_FILE`, file(name, text)]))

test('N-01 every secret may stand in a file, with or without a line end, and the service is the same', () => {
  const expected: Config = readConfig({ ...others, ...secrets })
  expect(readConfig({ ...others, ...inFiles })).toEqual(expected)
  for (const [name, text] of Object.entries(secrets)) file(name, `${text}\n`)
  expect(readConfig({ ...others, ...inFiles })).toEqual(expected)
  expect(namedDatabase(inFiles)).toBe(secrets.DATABASE_URL_DIRECT)
})

test('N-01 a secret given twice or not at all is told by both names, one in a bad file by its file’s', () => {
  expect(problemsOf({ ...others, ...inFiles, TOKEN_SECRET: 'y'.repeat(32) })).toEqual([
    'TOKEN_SECRET and TOKEN_SECRET_FILE are both set: leave one out',
  ])
  const { TOKEN_SECRET_FILE: _, SMTP_URL_FILE: _mail, ...rest } = inFiles
  expect(problemsOf({ ...others, ...rest })).toEqual([
    'TOKEN_SECRET is missing, and so is TOKEN_SECRET_FILE',
    'SMTP_URL is missing, and so is SMTP_URL_FILE: without it no buyer gets a confirmation',
  ])
  const bad = {
    TOKEN_SECRET_FILE: join(folder, 'nowhere'),
    STRIPE_SECRET_KEY_FILE: file('empty', '\n'),
    STRIPE_WEBHOOK_SECRET_FILE: file('wrong', 'hunter2'),
  }
  const named = problemsOf({ ...others, ...inFiles, ...bad })
  expect(named).toEqual([
    'TOKEN_SECRET_FILE is not right: the file cannot be read (ENOENT)',
    'STRIPE_SECRET_KEY_FILE is not right: the file is empty',
    'STRIPE_WEBHOOK_SECRET is not right: has to be a secret like whsec_…',
  ])
  expect(() =>
    namedDatabase({ DATABASE_URL_FILE: inFiles['DATABASE_URL_FILE'], DATABASE_URL: 'postgres://x' }),
  ).toThrow('DATABASE_URL and DATABASE_URL_FILE are both set')
})

test('N-01 an empty file says that an optional secret is not there, and hides none that stands in its variable', () => {
  const empty = file('none', '')
  const none = Object.fromEntries(OPTIONAL_SECRETS.map((name) => [`${name}_FILE`, empty]))
  const { META_PIXEL_ID: _, ...shop } = others
  const config = readConfig({ ...shop, ...inFiles, ...none })
  expect([config.databaseUrlDirect, config.databaseUrlRead, config.alerts.url, config.meta]).toEqual(
    Array.from({ length: 4 }, () => null),
  )
  expect(namedDatabase({ ...inFiles, ...none })).toBe(secrets.DATABASE_URL)
  expect(readConfig({ ...shop, ...inFiles, ...none, ALERT_URL: secrets.ALERT_URL }).alerts.url).toBe(secrets.ALERT_URL)
})

test('N-01 docs/deploy.md names every secret that may stand in a file', () => {
  const text = readFileSync(join(import.meta.dirname, '..', 'docs', 'deploy.md'), 'utf8')
  const listed = /\n## Secrets in files\n([^]*?)\n## /.exec(text)?.[1] ?? ''
  const named = [...listed.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name)
  expect([...new Set(named)]).toEqual([...SECRETS])
})
