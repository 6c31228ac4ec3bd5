import { html, table } from '../operator/html.ts'
import type { MetaRequest } from './meta-stand-in.ts'

/** T-02: what would have been sent to Meta, newest first, whole: for who wants to see what leaves the product. */
export function eventsPage(requests: readonly MetaRequest[]): string {
  const rows = [...requests].reverse().flatMap(({ receivedAt, events, testEventCode }) =>
    events.map((event) => [
      receivedAt.slice(0, 19).replace('T', ' '),
      html`<strong>${String(event['event_name'])}</strong>`,
      String(event['event_source_url']),
      testEventCode ?? '–',
      html`<details>
        <summary>${String(event['event_id'])}</summary>
        <pre>${JSON.stringify(event, null, 2)}</pre>
      </details>`,
    ]),
  )
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>Conversion events</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <main>
          <h1>Conversion events</h1>
          <p class="notice">
            What Meta's Conversions API would have been told since this program started. It stays on this machine: set
            META_PIXEL_ID and META_CAPI_TOKEN to send events to Meta instead. Names and addresses are hashed; no answer,
            session or product is among them.
          </p>
          ${table(
            `Events, newest first (${rows.length})`,
            ['Received (UTC)', 'Event', 'Page', 'Test code', 'Everything in it'],
            rows,
            'None yet. An event goes out when a visitor gives an address, opens the checkout, pays or uses a contact link, where the region needs no consent or the visitor gave it.',
          )}
          <p><a href="/">Look again</a> · <a href="/events">As JSON</a></p>
        </main>
      </body>
    </html>`.text
}
