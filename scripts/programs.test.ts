import { expect, test } from 'vitest'
import { CLONE_OPERATOR, cloneOperator, meta, publisher, service, standIns, type World } from './programs.ts'
import { BUILD_VARIABLES, newSecrets, usualPorts } from './settings.ts'

const world = (configured: Record<string, string> = {}): World => ({
  ports: usualPorts,
  secrets: newSecrets(),
  dataDir: '/nowhere',
  databaseUrl: 'postgres://127.0.0.1/none',
  configured,
})

test('T-02 without ids the service tells a stand-in on this machine, under an id of this clone', () => {
  const one = world()
  expect(standIns(one).meta).toBe(true)
  const { env } = service(one)
  expect(`${env['META_API_BASE']}/`).toBe(meta(one).readyUrl)
  expect(new URL(env['META_API_BASE'] ?? '').hostname).toBe('127.0.0.1')
  expect(env['META_PIXEL_ID']).toMatch(/^\d{10}$/)
  expect(env['META_PIXEL_ID']).not.toBe(service(world()).env['META_PIXEL_ID'])
})

test('T-02 configured ids replace the stand-in whole: nothing of it is mixed in', () => {
  const ids = { META_PIXEL_ID: '4711', META_CAPI_TOKEN: 'token', META_TEST_EVENT_CODE: 'TEST1' }
  expect(standIns(world(ids)).meta).toBe(false)
  const { env } = service(world(ids))
  expect(env).toMatchObject(ids)
  expect(env['META_API_BASE']).toBeUndefined()
  // one without the other is a mistake that the service reports at its start, not a reason for the stand-in
  expect(service(world({ META_CAPI_TOKEN: 'token' })).env['META_PIXEL_ID']).toBeUndefined()
})

test('T-01 D-08 regions and retention of .env reach the service', () => {
  const set = { CONSENT_REGIONS: 'DE,FR', EVENT_RETENTION_MONTHS: '6' }
  expect(service(world(set)).env).toMatchObject(set)
})

test('K-04 what .env says of a build reaches the publisher: its first round builds nothing else than the start', () => {
  const set = Object.fromEntries([...BUILD_VARIABLES, 'SITE_BUILDS_KEPT'].map((name) => [name, '1']))
  expect(publisher(world(set), { site: 'site', builds: 'builds' }).env).toMatchObject(set)
})

test('D-11 the addresses past a pooler and of a replica, as named in .env, reach the service', () => {
  const set = {
    DATABASE_URL_DIRECT: 'postgres://db.example/shop',
    DATABASE_URL_READ: 'postgres://replica.example/shop',
  }
  expect(service(world(set)).env).toMatchObject(set)
  expect(Object.keys(service(world()).env).filter((name) => name in set)).toEqual([])
})

test('N-03 the port of the metrics and who is told of alerts, as named in .env, reach the service', () => {
  const set = { METRICS_PORT: '9464', ALERT_MAIL: 'ops@example.com', ALERT_URL: 'https://hooks.example/x' }
  expect(service(world(set)).env).toMatchObject(set)
  expect(Object.keys(service(world()).env).filter((name) => name in set)).toEqual([])
})

test('D-08 a clone on its own database has an operator with a password of its own; a configured one gets none', () => {
  const one = cloneOperator(world())
  expect(one?.args).toEqual(['payments-service/operator/create.ts', CLONE_OPERATOR])
  expect(one?.env['OPERATOR_PASSWORD']).toMatch(/^[\w-]{24}$/)
  expect(one?.env['OPERATOR_PASSWORD']).not.toBe(cloneOperator(world())?.env['OPERATOR_PASSWORD'])
  expect(cloneOperator(world({ DATABASE_URL: 'postgres://elsewhere/shop' }))).toBeUndefined()
  expect(cloneOperator(world({ NODE_ENV: 'production' }))).toBeUndefined()
})
