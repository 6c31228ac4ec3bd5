import { enableVisualEditing } from '@sanity/visual-editing/enable-visual-editing'
import { editable } from '../cms/edit.ts'
import { historyAdapter } from './history.ts'
import type { DraftData } from './middleware.ts'
import { placeEdits } from './place.ts'
import { createRefresher } from './refresh.ts'
import { CHANGES_PATH, PERSPECTIVE_HEADER } from './trouble-page.ts'
import './drafts.css'

/**
 * The script of the draft deployment: the Studio's overlays (K-04), changes while an editor types, and what is wrong
 * with a draft that cannot be shown. No published page carries it (integration.ts).
 */
function start(changes: EventSource, toldMeanwhile: () => boolean): void {
  let unplace = place(document)
  // the page itself was sent as of the drafts
  let perspective = 'drafts'
  const refresher = createRefresher(pristine(), {
    async fetchPage() {
      const headers = { accept: 'text/html', [PERSPECTIVE_HEADER]: perspective }
      const response = await fetch(location.href, { cache: 'no-store', headers })
      return { ok: response.ok, html: await response.text() }
    },
    onTrouble: showTrouble,
    onChange(next) {
      showTrouble(null)
      unplace()
      unplace = place(next)
    },
  })
  const refresh = (): Promise<void> => refresher.refresh().catch(() => undefined)

  changes.addEventListener('change', () => void refresh())
  // after a broken connection, changes may have been missed
  let broken = false
  changes.addEventListener('error', () => (broken = true))
  changes.addEventListener('open', () => {
    if (broken) void refresh()
    broken = false
  })
  addEventListener('pagehide', () => changes.close())

  enableVisualEditing({
    history: historyAdapter(),
    // the Studio also reports mutations, later than the content lake does; only its "Refresh" button is obeyed
    refresh: ({ source }) => (source === 'manual' ? refresh() : Promise.resolve()),
    // a release that the Studio looks at, or what is published
    onPerspectiveChange(next) {
      const before = perspective
      perspective = String(next)
      if (perspective !== before) void refresh()
    },
    zIndex: 2147483000,
  })
  if (toldMeanwhile()) void refresh()
}

/** The page as the server sent it; what is on the screen may have changed since. */
function pristine(): Document {
  return new DOMParser().parseFromString(sent, 'text/html')
}

function place(from: Document): () => void {
  const text = dataOf(from)
  if (!text) return () => undefined
  const { projectId, dataset, studioUrl, fields } = JSON.parse(text) as DraftData
  const source = {
    address: { projectId, dataset, apiHost: null, token: null },
    perspective: 'drafts' as const,
    fetch: () => Promise.resolve(null),
  }
  return placeEdits(
    fields.flatMap(({ documentId, documentType, path, show, kind }) => {
      const edit = editable(source, documentId, documentType, studioUrl)(path)
      if (edit === undefined) return []
      return [{ edit, near: `${documentId} ${path.split(']')[0] ?? ''}`, document: documentId, show, kind }]
    }),
  )
}

/** A note above the last good state of the page; null takes it away. */
function showTrouble(html: string | null): void {
  document.querySelector('.drafts-trouble')?.remove()
  if (html === null) return
  const found = new DOMParser().parseFromString(html, 'text/html').getElementById('draft-trouble')
  const note = document.createElement('div')
  note.className = 'drafts-trouble'
  note.setAttribute('role', 'alert')
  note.setAttribute('data-drafts-own', '')
  const title = document.createElement('b')
  title.textContent = 'Your last change is not shown yet'
  note.append(title)
  if (found) note.append(document.importNode(found, true))
  else note.append(' The preview could not be loaded.')
  document.body.append(note)
}

const dataOf = (from: Document): string | undefined => from.getElementById('draft-data')?.textContent

let sent = document.documentElement.outerHTML
// opened before the page is requested, so that no change falls in between
const changes = new EventSource(CHANGES_PATH)
let told = false
changes.addEventListener('change', () => (told = true))
const listening = new Promise((done) => {
  changes.addEventListener('open', done, { once: true })
  changes.addEventListener('error', done, { once: true })
})
// The page's scripts may have changed it already; later answers are compared with the server's own text.
void listening
  .then(() => {
    told = false
    return fetch(location.href, { cache: 'no-store', headers: { accept: 'text/html' } })
  })
  .then(async (response) => {
    if (!response.ok) return
    const html = await response.text()
    // the draft changed while the page was loading: the screen shows an older version
    if (dataOf(new DOMParser().parseFromString(html, 'text/html')) !== dataOf(document)) location.reload()
    else sent = html
  })
  .catch(() => undefined)
  .then(() => start(changes, () => told))
