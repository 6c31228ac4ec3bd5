import { ruleOf } from '../alerts/rules.ts'
import type { Deps } from '../deps.ts'
import { examine } from '../doctor/checks.ts'
import type { Finding } from '../doctor/finding.ts'
import { html, long, type Markup, table } from './html.ts'

const ORDER: readonly Finding['level'][] = ['fail', 'warn', 'ok']
const WORDS = { fail: 'To be mended', warn: 'To be looked at', ok: 'Well' } as const

/** D-11: what `npm run doctor` says, of the replica that answers. */
export async function healthPage(deps: Deps): Promise<Markup> {
  const found = (await examine(deps)).sort((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level))
  return html`${table(
    'Asked just now',
    ['State', 'Part', 'What is so'],
    found.map(({ level, about, text }) => [
      level === 'ok' ? WORDS.ok : html`<span class="warn">${WORDS[level]}</span>`,
      about,
      long(text),
    ]),
    'None.',
  )}${await alertsThatHold(deps)}`
}

/** What the last look of the service found (alerts/). */
async function alertsThatHold({ db }: Deps): Promise<Markup> {
  const rows = await db.selectFrom('alerts').select(['rule', 'since', 'over_at', 'told']).orderBy('since').execute()
  return table(
    'Alerts, as of the last minute',
    ['Since', 'Alert', 'What it means', 'Told by', 'Over', 'What to do'],
    rows.map(({ rule: name, since, told, over_at }) => [
      since,
      name,
      long(ruleOf(name)?.rule.summary),
      told.join(', ') || 'nobody yet',
      over_at ?? '–',
      ruleOf(name)?.rule.runbook ?? '–',
    ]),
    'Nothing is wrong.',
  )
}
