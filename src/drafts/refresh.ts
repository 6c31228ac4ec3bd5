/**
 * Updates a page to the newest draft without reloading it: islands get their new content as props and keep their state;
 * everything else is compared with what the server sent before, and only the differences are applied.
 */
export interface Refresher {
  /** Requests the page again and applies it. Concurrent calls share one request, followed by one more. */
  refresh(): Promise<void>
}

export interface RefreshWorld {
  fetchPage(): Promise<{ ok: boolean; html: string }>
  /** The draft cannot be shown: the page stays as it was. */
  onTrouble(html: string): void
  /** After a change: the new document as the server sent it. */
  onChange(next: Document): void
}

export function createRefresher(first: Document, world: RefreshWorld): Refresher {
  let before = first
  let running: Promise<void> | undefined
  let again = false

  async function once(): Promise<void> {
    const { ok, html } = await world.fetchPage()
    if (!ok) return world.onTrouble(html)
    const next = new DOMParser().parseFromString(html, 'text/html')
    const scrolled = scrollY
    apply(before.body, next.body, document.body)
    if (before.title !== next.title) document.title = next.title
    before = next
    world.onChange(next)
    // a screen that gets new content may scroll to its top, as it does for a visitor
    requestAnimationFrame(() => requestAnimationFrame(() => scrollTo(0, scrolled)))
  }

  return {
    refresh() {
      if (running) {
        again = true
        return running
      }
      running = (async () => {
        do {
          again = false
          await once()
        } while (again)
      })().finally(() => (running = undefined))
      return running
    },
  }
}

/** Islands that were hydrated when they got new content. */
const told = new WeakSet<Element>()

/** Applies the differences between two answers of the server to the live page that started as the first. */
export function apply(before: Element, next: Element, live: Element): void {
  if (before.isEqualNode(next)) return
  if (next.localName === 'astro-island') {
    const props = next.getAttribute('props')
    if (props !== null && before.getAttribute('props') !== props) {
      if (live.hasAttribute('ssr') && !told.has(live)) {
        // not hydrated yet: with props that differ from its markup, React would find a mismatch
        live.replaceWith(document.importNode(next, true))
        return
      }
      // an island re-renders only while it carries this attribute
      told.add(live)
      live.setAttribute('ssr', '')
      live.setAttribute('props', props)
    }
    return
  }
  for (const name of new Set([...before.getAttributeNames(), ...next.getAttributeNames()])) {
    const value = next.getAttribute(name)
    if (before.getAttribute(name) === value) continue
    if (value === null) live.removeAttribute(name)
    else live.setAttribute(name, value)
  }
  const [was, will] = [children(before), children(next)]
  const is = children(live)
  const same = was.length === will.length && was.every((node, index) => alike(node, will[index]))
  const grown = is.length >= was.length && was.every((node, index) => alike(node, is[index]))
  if (!same || !grown) {
    // elements that scripts added at the end (overlays) stay
    const added = is.slice(was.length).filter((node) => node instanceof Element && isTool(node))
    live.replaceChildren(...will.map((node) => document.importNode(node, true)), ...added)
    return
  }
  will.forEach((node, index) => {
    const [old, here] = [was[index], is[index]]
    if (node instanceof Element && old instanceof Element && here instanceof Element) apply(old, node, here)
    else if (here && old?.nodeValue !== node.nodeValue) here.nodeValue = node.nodeValue
  })
}

const isTool = (node: Element): boolean =>
  node.localName === 'sanity-visual-editing' || node.hasAttribute('data-drafts-own')

/** Children that matter: scripts have run already, and comments mean nothing. */
function children(element: Element): ChildNode[] {
  return [...element.childNodes].filter(
    (node) =>
      (node.nodeType === Node.TEXT_NODE && (node.nodeValue ?? '').trim() !== '') ||
      (node instanceof Element && node.localName !== 'script'),
  )
}

function alike(one: ChildNode, other: ChildNode | undefined): boolean {
  return one.nodeName === other?.nodeName
}
