import type { Deps } from '../deps.ts'
import { examine } from '../doctor/checks.ts'
import type { Finding } from '../doctor/finding.ts'
import { html, type Markup, table } from './html.ts'

const ORDER: readonly Finding['level'][] = ['fail', 'warn', 'ok']
const WORDS = { fail: 'To be mended', warn: 'To be looked at', ok: 'Well' } as const

/** D-11: what `npm run doctor` says, of the replica that answers. */
export async function healthPage(deps: Deps): Promise<Markup> {
  const found = (await examine(deps)).sort((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level))
  return table(
    'Asked just now',
    ['State', 'Part', 'What is so'],
    found.map(({ level, about, text }) => [
      level === 'ok' ? WORDS.ok : html`<span class="warn">${WORDS[level]}</span>`,
      about,
      html`<span class="long">${text}</span>`,
    ]),
    'None.',
  )
}
