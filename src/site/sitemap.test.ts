import { expect, test } from 'vitest'
import { pages } from '../../contract/site-routes.ts'
import { GET as robots } from '../pages/robots.txt.ts'
import { canonicalEntry, inSitemap } from './sitemap.ts'

test('G-01 V-03 the sitemap names public pages and nothing of a visit', () => {
  const site = 'https://eyes.example'
  for (const path of ['/', '/women-over60/', '/legal/privacy/']) expect(inSitemap(site + path), path).toBe(true)
  for (const { shell, page } of pages) if (page !== 'public') expect(inSitemap(`${site}/${shell}/`), shell).toBe(false)
  for (const path of ['/404/', '/500/', '/legal/404/']) expect(inSitemap(site + path), path).toBe(false)
})

test('V-03 the sitemap spells an address as the page itself does', () => {
  expect(canonicalEntry({ url: 'https://eyes.example/women-over60/' })).toEqual({
    url: 'https://eyes.example/women-over60',
  })
  expect(canonicalEntry({ url: 'https://eyes.example/' })).toEqual({ url: 'https://eyes.example/' })
})

test('G-01 robots.txt names the sitemap of a site that knows its address, and none of another', async () => {
  type Context = Parameters<typeof robots>[0]
  const said = async (site?: URL) => (await robots({ site } as Context)).text()
  expect(await said(new URL('https://eyes.example'))).toContain('\nSitemap: https://eyes.example/sitemap-index.xml\n')
  expect(await said()).not.toContain('Sitemap')
})
