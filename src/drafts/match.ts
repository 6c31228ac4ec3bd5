/**
 * Finds the field that a text on the page came from. The same words may be in several fields ("Continue" on ten steps);
 * then the field nearest to the others on the screen is chosen. Pure; place.ts supplies the page.
 */
export interface Entry {
  /** The value of data-sanity. */
  edit: string
  /** Groups fields that are close together: the document, and the item of its list. */
  near: string
  /** Document id, the wider group. */
  document: string
  show: string
  kind: 'text' | 'picture'
}

export interface Matcher {
  /** The entries for these texts, one for each (undefined where a text comes from no field). */
  texts(shown: readonly string[]): (Entry | undefined)[]
  /** The entry of a picture by its address. */
  picture(address: string): Entry | undefined
}

const PLACEHOLDER = /\{[A-Za-z]+\}/

export const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

export function createMatcher(entries: readonly Entry[]): Matcher {
  const exact = new Map<string, Entry[]>()
  const open: { pattern: RegExp; entry: Entry }[] = []
  const pictures: Entry[] = []
  for (const entry of entries) {
    if (entry.kind === 'picture') {
      pictures.push(entry)
      continue
    }
    const words = plain(entry.show)
    if (PLACEHOLDER.test(words)) open.push({ pattern: patternOf(words), entry })
    else exact.set(words, [...(exact.get(words) ?? []), entry])
  }
  const candidates = (text: string): Entry[] =>
    exact.get(text) ?? open.filter(({ pattern }) => pattern.test(text)).map(({ entry }) => entry)

  return {
    texts(shown) {
      const found = shown.map((text) => candidates(plain(text)))
      const near = new Map<string, number>()
      const count = (key: string): void => void near.set(key, (near.get(key) ?? 0) + 1)
      // the unambiguous matches indicate where the others belong
      for (const [only, ...others] of found) {
        if (!only || others.length > 0) continue
        count(only.near)
        count(only.document)
      }
      const weight = (entry: Entry): number => (near.get(entry.near) ?? 0) * 1000 + (near.get(entry.document) ?? 0)
      return found.map((list) =>
        list.reduce<Entry | undefined>(
          (best, entry) => (!best || weight(entry) > weight(best) ? entry : best),
          undefined,
        ),
      )
    },
    picture: (address) => pictures.find(({ show }) => address.includes(show)),
  }
}

/**
 * A text with placeholders as a pattern for the text shown. One made only of placeholders would match anything, so it
 * matches nothing.
 */
function patternOf(words: string): RegExp {
  const fixed = words.split(/\{[A-Za-z]+\}/)
  if (fixed.join('').replace(/\W/g, '').length < 3) return /^(?!)/
  return new RegExp(`^${fixed.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.{0,120}?')}$`)
}
