import type { Response } from 'express'
import { html, type Markup } from './html.ts'

const PAGES = [
  ['/operator', 'Sessions'],
  ['/operator/funnel', 'Funnel'],
  ['/operator/steps', 'Steps'],
  ['/operator/letters', 'Outgoing'],
  ['/operator/errors', 'Errors'],
  ['/operator/money-back', 'Money back'],
  ['/operator/exits', 'Leaving'],
  ['/operator/duties', 'Duties'],
  ['/upsell-links', 'Upsell links'],
  ['/operator/privacy', 'Privacy'],
  ['/operator/health', 'Health'],
  ['/operator/trail', 'Trail'],
  ['/operator/passkeys', 'Passkeys'],
] as const

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
/** For the two pages that ask the browser for a passkey: one script of ours, which may connect only to this service. */
const SCRIPT_POLICY = `${POLICY}; script-src 'self'; connect-src 'self'`

/** No script, no foreign source, no frame; nothing is cached or passed on. */
export const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
}

export interface Page {
  title: string
  /** Address of the entry in the menu. */
  at?: string
  body: Markup
  /** The signed-in operator, and the token for forms. */
  operator?: { email: string; formToken: string }
  status?: number
  /** Whether the page runs the passkey script. */
  script?: boolean
}

/** The hidden field of every form. */
export function hidden(formToken: string): Markup {
  return html`<input type="hidden" name="form_token" value="${formToken}" />`
}

export function sendPage(res: Response, page: Page): void {
  const { operator } = page
  const menu = operator
    ? html`<header>
        <strong>Operator</strong>
        <nav aria-label="Pages">
          ${PAGES.map(
            ([path, name]) =>
              html`<a href="${path}" ${page.at === path ? html` aria-current="page"` : ''}>${name}</a> `,
          )}
        </nav>
        <form method="post" action="/operator/sign-out">${hidden(operator.formToken)}<button>Sign out</button></form>
      </header>`
    : ''
  const text = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title} · Operator</title>
        <link rel="icon" href="/favicon.svg" />
        <link rel="stylesheet" href="/operator/style.css" />
        ${page.script ? html`<script src="/operator/passkeys.js" defer></script>` : ''}
      </head>
      <body>
        ${menu}
        <main>
          <h1>${page.title}</h1>
          ${page.body}
        </main>
      </body>
    </html>`.text
  for (const [name, value] of Object.entries(HEADERS)) res.setHeader(name, value)
  if (page.script) res.setHeader('Content-Security-Policy', SCRIPT_POLICY)
  res
    .status(page.status ?? 200)
    .type('html')
    .send(text)
}
