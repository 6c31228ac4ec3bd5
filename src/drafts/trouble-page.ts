import type { ContentIssue } from '../cms/content-error.ts'

/** Names the layers of content that a page is asked for, as the Studio does. */
export const PERSPECTIVE_HEADER = 'x-sanity-perspective'
/** Path on the draft deployment where changes of content are announced (server-sent events). */
export const CHANGES_PATH = '/_drafts/changes'

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign)

/** Shown instead of a page whose draft is incomplete: says what is missing and where. Reloads on the next change. */
export function troublePage(issues: readonly ContentIssue[], message = ''): string {
  const rows = issues.map(
    ({ documentId, documentType, field, reason }) =>
      `<li><b>${escaped(documentType)}${documentId === documentType ? '' : ` “${escaped(documentId)}”`}</b>` +
      `${field === '' ? '' : `, field <code>${escaped(field)}</code>`}: ${escaped(reason)}</li>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>This draft cannot be shown yet</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex, nofollow">
<style>body{font:18px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1.25rem;color:#14213d}
li{margin:.5rem 0}</style></head>
<body><main><h1>This draft cannot be shown yet</h1><div id="draft-trouble">
${rows.length > 0 ? `<p>The page needs this first:</p><ul>${rows.join('')}</ul>` : `<p>${escaped(message)}</p>`}
</div><p>The page loads by itself as soon as something changes.</p></main>
<script>new EventSource('${CHANGES_PATH}').addEventListener('change', () => location.reload())</script></body></html>`
}
