/** RFC 9116 on the built site: where to report a vulnerability, as plain text, and no other hidden file. */
import { readFileSync } from 'node:fs'
import { type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative, sep } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFrontDoor } from '../../src/site/local-server.ts'
import { SECURITY_POLICY, SECURITY_TXT } from '../../src/site/security-txt.ts'
import { parsed, raw } from '../support/programs.ts'
import { documentAt } from '../support/documents.ts'
import { builtFolder, filesOf } from './built.ts'

const folder = builtFolder()

describe.skipIf(!folder)('security.txt', () => {
  const at = (path: string) => join(folder!, path)
  let door: Server
  let port: number
  beforeAll(async () => {
    door = createFrontDoor({ apiUrl: 'http://127.0.0.1:9', dist: folder })
    await new Promise<void>((done) => void door.listen(0, '127.0.0.1', done))
    port = (door.address() as AddressInfo).port
  })
  afterAll(() => void door?.close())
  const ask = async (method: string, path: string) =>
    parsed(
      await raw(port, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nX-Mark: echo\r\nConnection: close\r\n\r\n`),
    )

  test('names the contact of the settings, an end within a year, and the policy of the repository', () => {
    const lines = readFileSync(at(SECURITY_TXT), 'utf8').trimEnd().split('\n')
    const fields = new Map(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]))
    expect(fields.size).toBe(lines.length)
    const [, email = ''] = /^mailto:([^\s@]+@[^\s@]+)$/.exec(fields.get('Contact') ?? '') ?? []
    // the same one that buyers write to
    expect(readFileSync(at('legal/contact-us/index.html'), 'utf8')).toContain(`mailto:${email}"`)
    const left = Date.parse(fields.get('Expires') ?? '') - Date.now()
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(365 * 86_400_000)
    expect(fields.get('Preferred-Languages')).toBe('en')
    const canonical = fields.get('Canonical')
    expect(canonical === undefined || canonical.endsWith(SECURITY_TXT)).toBe(true)
    expect(readFileSync(at(SECURITY_POLICY), 'utf8')).toBe(documentAt('SECURITY.md'))
  })

  test('the front door serves both as plain text in UTF-8', async () => {
    for (const path of [SECURITY_TXT, SECURITY_POLICY]) {
      const { status, headers } = await ask('GET', path)
      expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/plain; charset=utf-8'])
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
  })

  test('every kind of text of the build names its charset, whatever it is', async () => {
    const names = filesOf(folder!).map((file) => `/${relative(folder!, file).split(sep).join('/')}`)
    const kinds = new Map(names.map((name) => [name.slice(name.lastIndexOf('.')), name]))
    let texts = 0
    for (const name of kinds.values()) {
      const { status, headers } = await ask('GET', name)
      const type = headers['content-type'] ?? ''
      if (status !== 200 || !/^text\/|[+/]xml/.test(type)) continue
      texts += 1
      expect(type, name).toMatch(/; ?charset=utf-8$/)
    }
    expect(texts).toBeGreaterThanOrEqual(4)
  })

  test('nothing else of the build has a hidden name, and TRACE repeats nothing', async () => {
    const hidden = filesOf(folder!).map((file) => relative(folder!, file).split(sep).join('/'))
    const dotted = hidden.filter((name) => /(^|\/)\./.test(name) && !/\.(br|gz)$/.test(name))
    expect(dotted.map((name) => `/${name}`).sort()).toEqual([SECURITY_POLICY, SECURITY_TXT].sort())
    for (const path of ['/.git/config', '/.env', '/.well-known/']) expect((await ask('GET', path)).status).toBe(404)
    const traced = await ask('TRACE', '/robots.txt')
    expect(traced.status).toBe(405)
    expect(traced.body).not.toContain('X-Mark')
  })
})
