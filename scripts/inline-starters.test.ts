import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inlineStarters } from './inline-starters.ts'

test('L-01 a short script that waits for the load is inlined; a longer one, or one with imports, is not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'starters-'))
  mkdirSync(join(folder, '_astro'))
  const tag = (name: string) => `<script type="module" src="/_astro/${name}.js"></script>`
  const file = (name: string, code: string) => writeFileSync(join(folder, '_astro', `${name}.js`), code)
  file(
    'page',
    'import{t as e}from"./preload-helper.a-1.js";' +
      'addEventListener(`load`,()=>e(()=>import(`./x.js`).then(e=>e.r),[]));\n',
  )
  file('more', 'import{a}from"./storage.js";a();')
  file('long', `/*${'-'.repeat(600)}*/`)
  const html = inlineStarters(`<p>${tag('page')}${tag('more')}${tag('long')}${tag('gone')}</p>`, folder)
  expect(html).toBe(
    `<p><script type="module">const ` +
      `e=load=>load();addEventListener(\`load\`,()=>e(()=>import(\`/_astro/x.js\`).then(e=>e.r),[]));</script>` +
      `${tag('more')}${tag('long')}${tag('gone')}</p>`,
  )
  rmSync(folder, { recursive: true })
})
