/**
 * The pages of the local mailbox, styled like the product. Strings in, strings out; everything from a mail is escaped.
 */
import { escapeHtml } from '../html.ts'
import type { Message, MessageSummary } from './store.ts'

export const STYLE = `
:root { --ink: #0B1B33; --quiet: #44546A; --line: #DCE5F2; --surface: #F5F8FF; --card: #fff; --link: #0B57D0; --primary:
#1A75FF; --danger: #B42318; color-scheme: light }
* { box-sizing: border-box }
body { margin: 0; background: var(--surface); color: var(--ink); font: 17px/1.55 Figtree, -apple-system, 'Segoe UI',
Roboto, Helvetica, Arial, sans-serif }
main, header { max-width: 60rem; margin: 0 auto; padding: 0 20px }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 12px 24px; padding-block: 24px 16px }
h1 { font-size: 22px; margin: 0; display: flex; align-items: center; gap: 10px }
h1::before { content: ''; width: 22px; height: 22px; border-radius: 50%; background: #FFB454; border: 7px solid
var(--primary) }
h1 a { color: inherit; text-decoration: none }
h2 { font-size: 28px; line-height: 1.25; margin: 0 0 12px; text-wrap: balance; overflow-wrap: anywhere }
a { color: var(--link); text-underline-offset: 3px }
form.search { flex: 1 1 18rem; display: flex; gap: 8px }
input { flex: 1; min-width: 0; font: inherit; color: inherit; padding: 10px 14px; border: 1.5px solid var(--line);
border-radius: 12px; background: var(--card) }
button, .button { font: inherit; font-weight: 600; padding: 10px 16px; border: 1.5px solid var(--line); border-radius:
12px; background: var(--card); color: var(--link); cursor: pointer; text-decoration: none; display: inline-block }
button.danger { color: var(--danger) }
:focus-visible { outline: 3px solid var(--primary); outline-offset: 2px }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; overflow: hidden; margin: 0 0 20px
}
.list { list-style: none; margin: 0; padding: 0 }
.list a { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 2px 16px; padding: 16px 20px; border-top: 1px
solid var(--line); color: inherit; text-decoration: none }
.list li:first-child a { border-top: 0 }
.list a:hover { background: var(--surface) }
.subject { font-weight: 650; overflow-wrap: anywhere }
.quiet { color: var(--quiet); font-size: 16px; overflow-wrap: anywhere }
.list .preview { grid-column: 1 / -1 }
.tag { font-size: 14px; background: var(--surface); border: 1px solid var(--line); border-radius: 99px; padding: 1px
10px; white-space: nowrap }
.empty { padding: 56px 24px; text-align: center }
.bar { display: flex; flex-wrap: wrap; gap: 12px; align-items: center; justify-content: space-between; margin: 0 0 16px
}
.head { padding: 24px; border-bottom: 1px solid var(--line) }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; margin: 0 }
dt { color: var(--quiet) } dd { margin: 0; overflow-wrap: anywhere }
iframe { display: block; width: 100%; height: 70vh; min-height: 480px; border: 0; background: var(--surface) }
pre { margin: 0; padding: 20px 24px; white-space: pre-wrap; overflow-wrap: anywhere; font: 15px/1.5 ui-monospace,
SFMono-Regular, Menlo, Consolas, monospace }
details summary { cursor: pointer; padding: 16px 24px; font-weight: 650 }
details + details { border-top: 1px solid var(--line) }
@media (max-width: 560px) { .list a { grid-template-columns: 1fr } .list time { order: 3 } dl { grid-template-columns:
1fr } dd { margin-bottom: 8px } }
`

/** Reloads the list when a mail has come. Without it "Look again" does. */
export const SCRIPT = `
const list = document.querySelector('[data-newest]')
for (const time of document.querySelectorAll('time')) time.textContent = new Date(time.dateTime).toLocaleString()
const look = async () => {
  const address = '/api/messages' + location.search
  try {
    const { messages } = await (await fetch(address)).json()
    if ((messages[0]?.id ?? '') !== list.dataset.newest && document.activeElement?.tagName !== 'INPUT')
      location.reload()
  } catch {}
}
if (list) setInterval(look, 2000)
document.querySelector('form[data-ask]')?.addEventListener('submit', (event) => {
  if (!confirm('Delete every mail in this mailbox?')) event.preventDefault()
})
`

function page(title: string, body: string, query = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/mailbox.css">
<script type="module" src="/mailbox.js"></script>
</head>
<body>
<header>
<h1><a href="/">Mailbox</a></h1>
<form class="search" action="/" role="search">
<input type="search" name="query" value="${escapeHtml(query)}" placeholder="Address, subject or words"
  aria-label="Search mails">
<button>Search</button>
</form>
</header>
<main>
${body}
</main>
</body>
</html>
`
}

const DELETE_ALL = '<form method="post" action="/delete-all" data-ask><button class="danger">Delete all</button></form>'

export function listPage(messages: readonly MessageSummary[], query: string): string {
  const rows = messages.map(
    ({ id, subject, to, receivedAt, preview, kind }) => `<li><a href="/messages/${id}">
<span class="subject">${escapeHtml(subject || '(no subject)')}</span>
<time class="quiet" datetime="${receivedAt}">${receivedAt.slice(0, 16).replace('T', ' ')} UTC</time>
<span class="quiet">To ${escapeHtml(to.join(', '))}</span><span>${
      kind ? `<span class="tag">${escapeHtml(kind)}</span>` : ''
    }</span>
${preview ? `<span class="quiet preview">${escapeHtml(preview)}</span>` : ''}
</a></li>`,
  )
  const empty = query
    ? `<div class="empty"><h2>Nothing found</h2><p class="quiet">No mail holds “${escapeHtml(query)}”. <a ` +
      `href="/">Show all</a></p></div>`
    : `<div class="empty"><h2>No mail yet</h2><p class="quiet">Every mail the product sends on this machine ` +
      `arrives here, and nowhere else.</p></div>`
  const count = messages.length === 1 ? '1 mail' : `${messages.length} mails`
  return page(
    `Mailbox (${messages.length})`,
    `<div class="bar"><span class="quiet" role="status">${count}. They stay on this machine.</span>
${messages.length > 0 && !query ? DELETE_ALL : ''}</div>
<div class="card" data-newest="${messages[0]?.id ?? ''}">${
      messages.length > 0 ? `<ul class="list">${rows.join('\n')}</ul>` : empty
    }</div>
<noscript><p><a class="button" href="/">Look again</a></p></noscript>`,
    query,
  )
}

function linkOf({ href, words }: Message['links'][number]): string {
  const address = escapeHtml(href)
  const shown = /^https?:/.test(href)
    ? `<a href="${address}" target="_blank" rel="noopener noreferrer">${address}</a>`
    : address
  return `<li>${escapeHtml(words)}: ${shown}</li>`
}

function attached({ attachments }: Message): string {
  const names = attachments.map(({ filename, mimeType }) => filename ?? mimeType).join(', ')
  return attachments.length > 0 ? `<dt>Attached</dt><dd>${escapeHtml(names)}</dd>` : ''
}

export function messagePage(message: Message): string {
  const text = escapeHtml(message.text ?? (message.html ? '(none)' : ''))
  const received = message.receivedAt.slice(0, 16).replace('T', ' ')
  const headers = message.headers.map(({ name, value }) => `${name}: ${value}`).join('\n')
  const links = message.links.map(linkOf).join('')
  return page(
    message.subject || '(no subject)',
    `<p><a href="/">All mails</a></p>
<article class="card">
<div class="head"><h2>${escapeHtml(message.subject || '(no subject)')}</h2>
<dl>
<dt>From</dt><dd>${escapeHtml(message.from)}</dd>
<dt>To</dt><dd>${escapeHtml(message.to.join(', '))}</dd>
<dt>Received</dt><dd><time datetime="${message.receivedAt}">${received} UTC</time></dd>
${attached(message)}
</dl></div>
${
  message.html
    ? `<iframe title="The mail as it looks" src="/messages/${message.id}/html"
  sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`
    : `<pre>${text}</pre>`
}
</article>
<div class="card">
${message.html ? `<details><summary>Plain text</summary><pre>${text}</pre></details>` : ''}
<details><summary>Links (${message.links.length})</summary><div class="head"><ul
  class="quiet">${links}</ul></div></details>
<details><summary>Headers</summary><pre>${escapeHtml(headers)}</pre></details>
</div>
<p><a class="button" href="/messages/${message.id}/raw">Download .eml</a></p>`,
  )
}

export function notFoundPage(): string {
  return page(
    'Not found',
    '<div class="card empty"><h2>There is no such mail</h2><p><a href="/">All mails</a></p></div>',
  )
}
