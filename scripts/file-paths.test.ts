import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './settings.ts'

test('N-03 no path of a file is taken from an address: a folder with a space in its name would not be found', () => {
  const places = ['{contract,db,payments-service,scripts,src,stand-ins,studio,tests}/**/*.{ts,tsx,mjs,astro}', '*.mjs']
  const files = globSync(places, { cwd: root, exclude: (name) => /node_modules|dist/.test(name) })
  expect(files.length).toBeGreaterThan(500)
  // fileURLToPath decodes; URL.pathname keeps %20
  const wrong = files.filter((file) => /import\.meta\.url\)\s*\.pathname/.test(readFileSync(join(root, file), 'utf8')))
  expect(wrong).toEqual([])
})
