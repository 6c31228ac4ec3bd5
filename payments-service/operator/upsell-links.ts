import { ADD_ON_IDS, product } from '../../contract/catalogue.ts'
import type { Deps } from '../deps.ts'
import { html, type Markup, table, visitLink } from './html.ts'

/** U-09: 1 = the bundle, 2–4 = the first three guides alone. */
const LINKS = ADD_ON_IDS.slice(0, 4).map((id, at) => ({ number: at + 1, id }))

/** The links of one session (by default the newest) and the ten latest sessions. */
export async function upsellLinksPage({ db, config }: Deps, sessionId: string | undefined): Promise<Markup> {
  const latest = await db
    .selectFrom('sessions')
    .select(['id', 'email', 'created_at'])
    .orderBy('created_at', 'desc')
    .limit(10)
    .execute()
  // on a separate host the links must lead to the site
  const site = config.operatorUrl === null ? '' : config.siteUrl
  const chosen = sessionId ?? latest[0]?.id
  return html`${
      chosen
        ? table(
            `Links of session ${chosen}`,
            ['Number', 'Chosen on the page', 'Link'],
            LINKS.map(({ number, id }) => [
              number,
              product(id).name,
              html`<a class="long" href="${site}/multi-upsell/${chosen}?upsell=${number}"
                >${site}/multi-upsell/${chosen}?upsell=${number}</a
              >`,
            ]),
          )
        : html`<p class="notice">There is no session yet.</p>`
    }
    <p class="quiet">A link opens the page in the browser that holds the session only.</p>
    ${table(
      'The 10 latest sessions',
      ['Created', 'Who', 'Links'],
      latest.map((row) => [
        row.created_at,
        visitLink(row.id, row.email),
        html`<a class="long" href="/upsell-links/${row.id}">${row.id}</a>`,
      ]),
    )}`
}
