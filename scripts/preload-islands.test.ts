import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { preloadIslands } from './preload-islands.ts'

test('C-01 the head names the files of islands that the visitor came for, once each, and no others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'islands-'))
  mkdirSync(join(folder, '_astro'))
  const file = (name: string, code: string) => writeFileSync(join(folder, '_astro', `${name}.js`), code)
  file('Checkout', 'import{a}from"./base.js";import"./side.js";import(`./Dialog.js`);')
  file('client', 'import{b}from"./base.js";')
  file('base', '')
  file('side', '')
  file('Dialog', '')
  const island = (client: string, value = 'true') =>
    `<astro-island component-url="/_astro/Checkout.js" renderer-url="/_astro/client.js" ` +
    `client="${client}" opts="{&quot;value&quot;:${value}}"></astro-island>`
  const page = (...which: [client: string, value?: string]) => `<head></head>${island(...which)}`
  const link = (name: string) => `<link rel="modulepreload" href="/_astro/${name}.js">`
  expect(preloadIslands(page('load'), folder)).toBe(
    `<head>${['Checkout', 'client', 'base', 'side'].map(link).join('')}</head>${island('load')}`,
  )
  const listed = ['painted', '&quot;listed&quot;'] as const
  const links = ['Checkout', 'client', 'base', 'side'].map(link).join('')
  expect(preloadIslands(page(...listed), folder)).toBe(
    `<head>${links.replaceAll('modulepreload"', 'modulepreload" fetchpriority="low"')}</head>${island(...listed)}`,
  )
  expect(preloadIslands(page('painted'), folder)).toBe(page('painted'))
  expect(preloadIslands(page('idle'), folder)).toBe(page('idle'))
  rmSync(folder, { recursive: true })
})
