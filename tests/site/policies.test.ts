/** The built site behind the front door: no file is served without a policy, whatever its name. */
import { type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { relative, sep } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFrontDoor } from '../../src/site/local-server.ts'
import { resolve } from '../../contract/site-routes.ts'
import { parsed, raw } from '../support/programs.ts'
import { builtFolder, filesOf, pagesOf } from './built.ts'

const folder = builtFolder()

describe.skipIf(!folder)('pages and their policies', () => {
  let door: Server
  let port: number
  beforeAll(async () => {
    door = createFrontDoor({ apiUrl: 'http://127.0.0.1:9', dist: folder })
    await new Promise<void>((done) => void door.listen(0, '127.0.0.1', done))
    port = (door.address() as AddressInfo).port
  })
  afterAll(() => void door?.close())
  const get = async (path: string) =>
    parsed(await raw(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`))
  /** `/c` → `/%63`: the same address once decoded. */
  const spelled = (path: string) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)

  test('N-01 every page of the build has a policy of its own, with and without a slash', async () => {
    for (const { shell } of pagesOf(folder!).filter(({ shell }) => !/^(404|500|legal\/404)$/.test(shell))) {
      for (const path of [`/${shell}`, `/${shell}/`, spelled(`/${shell}`)]) {
        const { status, headers } = await get(path)
        expect([path, status < 400]).toEqual([path, true])
        if (status === 200) expect(headers['content-security-policy'], path).toContain("default-src 'none'")
      }
    }
  })

  test('N-01 a page by the name of its file, a compressed copy, a list for hosts: 404 with a policy', async () => {
    const names = filesOf(folder!).map((file) => `/${relative(folder!, file).split(sep).join('/')}`)
    const hidden = names.filter((name) => /\.(html|br|gz)$|^\/(_headers|_redirects|nginx\.conf|csp\.json)$/.test(name))
    expect(hidden.length).toBeGreaterThan(20)
    for (const path of [...hidden, ...hidden.map(spelled), '/404', '/500', '/legal/404', '/legal/%3404', '/no/page']) {
      const { status, headers } = await get(path)
      expect(headers['content-security-policy'], path).toContain("default-src 'none'")
      expect(headers['x-robots-tag'], path).toBe('noindex')
      // `index.html` may be read as an id: a page with a policy
      const found = resolve(path, '', () => false)
      expect([path, status]).toEqual([path, found.kind === 'page' && found.status === 200 ? 200 : 404])
    }
  })

  test('N-01 what is shown as a page is one that has a policy: no other file is HTML', async () => {
    for (const file of filesOf(folder!).filter((name) => !/\.(html|br|gz)$/.test(name))) {
      const { headers } = await get(`/${relative(folder!, file).split(sep).join('/')}`)
      const type = headers['content-type'] ?? ''
      if (/html/.test(type)) expect(headers['content-security-policy'], file).toContain("default-src 'none'")
    }
  })
})
