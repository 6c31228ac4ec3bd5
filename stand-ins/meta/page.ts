/** The page of the stand-in for Meta. Strings in, strings out; everything from an event is escaped. */
import { escapeHtml } from '../html.ts'
import type { MetaRequest } from './events.ts'

/** The product's colours (src/site/tokens.css), dense and readable. */
export const STYLE = `
* { box-sizing: border-box }
body { margin: 0; color: #0b1b33; background: #fff; font: 15px/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, Arial,
sans-serif }
main { padding: 20px; max-width: 1360px; margin: 0 auto }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 14px }
h2 { font-size: 18px; margin: 28px 0 8px }
a { color: #0b57d0 }
a:focus-visible, summary:focus-visible, .scroll:focus-visible { outline: 3px solid #1a75ff; outline-offset: 2px }
.notice { border-left: 4px solid #1a75ff; background: #eaf2ff; padding: 10px 14px; margin: 0 0 18px }
.quiet { color: #44546a }
.scroll { overflow-x: auto; border: 1px solid #dce5f2; border-radius: 10px }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { text-align: left; vertical-align: top; padding: 6px 10px; border-bottom: 1px solid #dce5f2; max-width: 46ch;
overflow-wrap: break-word }
th { background: #f5f8ff; font-weight: 600; white-space: nowrap }
tbody tr:last-child td { border-bottom: 0 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 6px 0 0; font-size: 13px; min-width: 34ch }
@media (max-width: 600px) { main { padding: 14px } }
`

const HEAD = ['Received (UTC)', 'Event', 'Page', 'Test code', 'Everything in it']

/** T-02: everything that would have been sent to Meta, newest first, to show what leaves the product. */
export function eventsPage(requests: readonly MetaRequest[]): string {
  const rows = [...requests].reverse().flatMap(({ receivedAt, events, testEventCode }) =>
    events.map(
      (event) => `<tr>
<td>${escapeHtml(receivedAt.slice(0, 19).replace('T', ' '))}</td>
<td><strong>${escapeHtml(event['event_name'])}</strong></td>
<td>${escapeHtml(event['event_source_url'])}</td>
<td>${escapeHtml(testEventCode ?? '–')}</td>
<td><details><summary>${escapeHtml(event['event_id'])}</summary>
<pre>${escapeHtml(JSON.stringify(event, null, 2))}</pre></details></td>
</tr>`,
    ),
  )
  const caption = `Events, newest first (${rows.length})`
  const table = `<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
<thead><tr>${HEAD.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table></div>`
  const none = `<p class="quiet">None yet. An event goes out when a visitor gives an address, opens the checkout, pays
or uses a contact link, where the region needs no consent or the visitor gave it.</p>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Conversion events</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<main>
<h1>Conversion events</h1>
<p class="notice">What Meta's Conversions API would have been told since this program started. It stays on this machine:
set META_PIXEL_ID and META_CAPI_TOKEN to send events to Meta instead. Names and addresses are hashed; no answer,
session or product is among them.</p>
<h2>${caption}</h2>
${rows.length > 0 ? table : none}
<p><a href="/">Look again</a> · <a href="/events">As JSON</a></p>
</main>
</body>
</html>
`
}
