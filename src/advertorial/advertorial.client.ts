import { parseAttribution } from '../../contract/attribution.ts'
import { local } from '../session/storage.ts'
import { startVisit } from '../session/visit.ts'
import { pushEvent } from '../tracking/data-layer.ts'
import { THANKS_MS, withAttribution } from './advertorial.ts'
import { storedAttribution } from './stored.ts'

/** The article's only script; without it the article still reads and its links still work. */

// V-01: every link out carries the stored attribution and that of this address
const stored = { ...storedAttribution(local, Date.now()), ...parseAttribution(new URLSearchParams(location.search)) }
for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-action]')) {
  link.setAttribute('href', withAttribution(link.getAttribute('href') ?? '/', stored))
}

// V-02: the buttons only push to the data layer, and the page says that nothing else happened
const share = document.querySelector<HTMLElement>('[data-share]')
if (share) {
  share.hidden = false
  share.addEventListener('click', ({ target }) => {
    const method = (target as HTMLElement).dataset['method']
    if (!method) return
    const item = document.querySelector<HTMLElement>('[data-article]')?.dataset['article']
    pushEvent('share', { method, item })
    const status = share.querySelector('[role=status]')
    if (status) status.textContent = 'Thank you for telling us. Nothing was posted anywhere.'
  })
}

// V-02: both fields are required; thanks for three seconds; nothing is sent
const form = document.querySelector<HTMLFormElement>('[data-comment]')
if (form) {
  const thanks = form.querySelector('[role=status]')
  const fields = [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')]
  const problem = (field: HTMLElement, words: string): void => {
    const place = document.getElementById(`${field.id}-error`)
    if (place) place.textContent = words
    if (words) field.setAttribute('aria-invalid', 'true')
    else field.removeAttribute('aria-invalid')
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  form.hidden = false
  form.addEventListener('input', ({ target }) => problem(target as HTMLElement, ''))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const empty = fields.filter((field) => !field.value.trim())
    for (const field of fields) {
      problem(field, empty.includes(field) ? `Please enter your ${field.name}.` : '')
    }
    empty[0]?.focus()
    if (empty.length > 0 || !thanks) return
    form.reset()
    thanks.textContent = 'Thank you for putting it into words!'
    clearTimeout(timer)
    timer = setTimeout(() => (thanks.textContent = ''), THANKS_MS)
  })
}

// D-01, L-06: attribution and session, after everything the reader waits for
if (document.readyState === 'complete') void startVisit()
else addEventListener('load', () => setTimeout(startVisit))
