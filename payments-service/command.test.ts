import { expect, test } from 'vitest'
import { configOf, settingsOf } from './command.ts'

const started = { EMBEDDED: '1', DATABASE_URL: 'postgres://here/shop', STRIPE_SECRET_KEY: 'sk_test_here', PORT: '4242' }

test('a command has the settings of npm start where the environment says nothing else', () => {
  expect(settingsOf({ PATH: '/bin', PORT: '4242', STRIPE_SECRET_KEY: '' }, started)).toEqual({
    ...started,
    PATH: '/bin',
  })
  expect(settingsOf({ PATH: '/bin' }, {})).toEqual({ PATH: '/bin' })
})

test.each([
  { DATABASE_URL: 'postgres://there/shop' },
  { DATABASE_URL_FILE: '/run/secrets/database' },
  { STRIPE_SECRET_KEY: 'sk_live_there' },
  { NODE_ENV: 'production' },
])('N-01 a command mixes nothing of npm start into other settings: %o', (environment) => {
  expect(settingsOf(environment, started)).toEqual(environment)
})

test('where nothing is configured, a command says that npm start would be enough, and nowhere else', () => {
  const way = /or run npm start: beside it this command needs no settings/
  expect(() => configOf({ PATH: '/bin' }, {})).toThrow(way)
  for (const environment of [{ NODE_ENV: 'production' }, { DATABASE_URL: 'postgres://there/shop' }]) {
    expect(() => configOf(environment, {})).toThrow(/STRIPE_SECRET_KEY/)
    expect(() => configOf(environment, {})).not.toThrow(way)
  }
})
