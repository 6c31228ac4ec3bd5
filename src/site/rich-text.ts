import { toHTML, type PortableTextComponents } from '@portabletext/to-html'
import type { Picture, RichText } from '../../contract/content.ts'

/**
 * Rich text of the content lake as HTML. Text blocks become markup here (escaped by the library); pictures, pull quotes
 * and calls to action stay data for the page to render.
 */
export type RichPart =
  | { kind: 'text'; html: string }
  | { kind: 'picture'; picture: Picture; caption: string | null }
  | { kind: 'pullQuote'; text: string; attribution: string | null }
  | { kind: 'callToAction'; text: string; button: string }

/** A section of a text, for its table of contents. */
export interface Heading {
  id: string
  text: string
}

type Block = RichText[number]

/** The parts of a text in order; neighbouring text blocks form one part, so that lists stay whole. */
export function richParts(body: RichText, options: { headingIds?: boolean } = {}): RichPart[] {
  const ids = options.headingIds ? headingIds(body) : new Map<Block, Heading>()
  const parts: RichPart[] = []
  let run: Block[] = []
  const close = (): void => {
    if (run.length > 0) parts.push({ kind: 'text', html: toHTML(run as never, { components: components(ids) }) })
    run = []
  }
  for (const block of body) {
    if (block['_type'] === 'block') {
      if (!isBlankHeading(block)) run.push(block)
    } else {
      close()
      const part = partOf(block)
      if (part) parts.push(part)
    }
  }
  close()
  return parts
}

function partOf(block: Block): RichPart | undefined {
  const { _type, text, button, attribution, caption, picture } = block as Record<string, string> & {
    picture?: Picture | null
  }
  if (_type === 'picture' && picture) return { kind: 'picture', picture, caption: caption ?? null }
  if (_type === 'pullQuote' && text) return { kind: 'pullQuote', text, attribution: attribution ?? null }
  if (_type === 'callToAction' && text && button) return { kind: 'callToAction', text, button }
  return undefined
}

/** The sections of a text: its second-level headings, each with its own id. */
export function headingsOf(body: RichText): Heading[] {
  return [...headingIds(body).values()]
}

/** A line that became a heading before anything was written into it: it would be read as one without words. */
const isBlankHeading = (block: Block): boolean => /^h\d$/.test(String(block['style'])) && textOf(block).trim() === ''

function headingIds(body: RichText): Map<Block, Heading> {
  const found = new Map<Block, Heading>()
  const taken = new Set<string>()
  for (const block of body) {
    if (block['style'] !== 'h2' || isBlankHeading(block)) continue
    const text = textOf(block)
    // an id has to begin with a letter, also for "1. What we offer"
    const base = `s-${slug(text) || 'section'}`
    let id = base
    for (let n = 2; taken.has(id); n++) id = `${base}-${n}`
    taken.add(id)
    found.set(block, { id, text })
  }
  return found
}

function textOf(block: Block): string {
  const children = Array.isArray(block['children']) ? (block['children'] as { text?: unknown }[]) : []
  return children.map(({ text }) => (typeof text === 'string' ? text : '')).join('')
}

function slug(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

function components(ids: ReadonlyMap<Block, Heading>): PortableTextComponents {
  return {
    block: {
      h2: ({ value, children }) => {
        const id = ids.get(value as unknown as Block)?.id
        return `<h2${id ? ` id="${id}"` : ''}>${children ?? ''}</h2>`
      },
    },
  }
}
