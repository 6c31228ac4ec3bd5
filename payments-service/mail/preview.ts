/**
 * `node payments-service/mail/preview.ts OUTDIR`: writes every mail with invented data, as HTML and text, and an index.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderMail } from './render.ts'
import { SAMPLE_IDENTITY, SAMPLE_NOW, SAMPLES } from './samples.ts'

const folder = process.argv[2]
if (!folder) {
  console.error('Where to? node payments-service/mail/preview.ts OUTDIR')
  process.exit(2)
}
mkdirSync(folder, { recursive: true })
const rows: string[] = []
for (const [name, mail] of Object.entries(SAMPLES)) {
  const { subject, html, text } = await renderMail(mail, SAMPLE_IDENTITY, SAMPLE_NOW)
  writeFileSync(join(folder, `${name}.html`), html)
  writeFileSync(join(folder, `${name}.txt`), text)
  rows.push(`<li><a href="${name}.html">${name}</a> (<a href="${name}.txt">text</a>): ${subject}</li>`)
}
writeFileSync(
  join(folder, 'index.html'),
  `<!doctype html><meta charset="utf-8"><title>Mails</title><ul>${rows.join('\n')}</ul>`,
)
console.log(`${rows.length} mails in ${folder}`)
