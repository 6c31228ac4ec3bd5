import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePorts, keptSecrets, portsCommand, usualPorts, wantedPorts } from './settings.ts'

test('ports come from flags before the environment, and nonsense is named', () => {
  const given = (...flags: string[]) => portsCommand('npm start --', '').parse(flags, { from: 'user' })
  const { ports, asked } = wantedPorts(given('--port', '5000', '--api-port=5001'), { API_PORT: '1', LAKE_PORT: '5002' })
  expect(ports).toMatchObject({ site: 5000, api: 5001, lake: 5002, stripe: usualPorts.stripe })
  expect([...asked].sort()).toEqual(['api', 'lake', 'site'])
  for (const flag of ['--site-port', '--port'])
    expect(wantedPorts(given(`${flag}=5003`), {}).ports.site, flag).toBe(5003)
  expect(() => wantedPorts(given('--port', 'many'), {})).toThrow('many is no port for site')
})

test('a taken port moves to the next free one and no two programs get the same', async () => {
  const blocker = createServer()
  await new Promise<void>((done) => blocker.listen(0, '127.0.0.1', done))
  const taken = (blocker.address() as { port: number }).port
  const ports = await freePorts({ ...usualPorts, site: taken, api: taken, lake: 0 })
  blocker.close()
  expect(ports.site).toBeGreaterThan(taken)
  expect(ports.lake).toBeGreaterThan(0)
  expect(new Set(Object.values(ports)).size).toBe(Object.keys(ports).length)
})

test('N-01 secrets are random per clone, kept, private to the user, and an older file gains what it lacks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  const first = keptSecrets(folder)
  expect(keptSecrets(folder)).toEqual(first)
  expect(first.stripeSecretKey).toMatch(/^sk_test_[0-9a-f]{48}$/)
  if (process.platform !== 'win32') expect(statSync(join(folder, 'secrets.json')).mode & 0o077).toBe(0)
  writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ tokenSecret: first.tokenSecret }))
  const second = keptSecrets(folder)
  expect(second.tokenSecret).toBe(first.tokenSecret)
  expect(second.stripeSecretKey).not.toBe(first.stripeSecretKey)
  expect(keptSecrets(folder)).toEqual(second)
  rmSync(folder, { recursive: true })
})
