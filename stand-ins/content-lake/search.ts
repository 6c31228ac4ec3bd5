/**
 * The Studio's list panes and search ask `… match text::query($q)`, which groq-js parses and then refuses to run.
 * Before running, each such node is replaced by the answer: `_id in [ids of the documents that match]`.
 */
import type { ExprNode } from 'groq-js'
import type { Doc, Json } from './documents.ts'

const known = new WeakMap<ExprNode, boolean>()

const isSearch = (node: Json) =>
  node.type === 'OpCall' &&
  node.op === 'match' &&
  (node.right as Json).type === 'FuncCall' &&
  (node.right as Json).namespace === 'text'

export function usesSearch(tree: ExprNode): boolean {
  let found = known.get(tree)
  if (found === undefined) {
    const look = (node: unknown): boolean =>
      Array.isArray(node)
        ? node.some(look)
        : typeof node === 'object' && node !== null && (isSearch(node as Json) || Object.values(node).some(look))
    known.set(tree, (found = look(tree)))
  }
  return found
}

/** A copy of the tree with text searches replaced by their results. */
export function rewriteSearch(tree: ExprNode, docs: Doc[], params: Json): ExprNode {
  const rewrite = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(rewrite)
    if (typeof node !== 'object' || node === null) return node
    if (isSearch(node as Json)) {
      const argument = ((node as Json).right as { args: Json[] }).args[0] ?? {}
      const given = argument.type === 'Parameter' ? params[String(argument.name)] : argument.value
      const ids = docs.filter(matcher(String(given ?? ''))).map((doc) => doc._id)
      return {
        type: 'OpCall',
        op: 'in',
        left: { type: 'AccessAttribute', name: '_id' },
        right: { type: 'Value', value: ids },
      }
    }
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, rewrite(value)]))
  }
  return rewrite(tree) as ExprNode
}

/** The query language of text::query: all words must occur, "phrases" together, -not, prefix*. */
export function matcher(query: string): (doc: Doc) => boolean {
  const terms = [...query.toLowerCase().matchAll(/(-?)(?:"([^"]*)"?|(\S+))/g)].map(([, minus, phrase, word]) => ({
    not: minus === '-',
    text: phrase ?? (word ?? '').replace(/^\*{1,9}|\*{1,9}$/g, ''),
  }))
  const wanted = terms.filter((term) => term.text !== '')
  return (doc) => wanted.every(({ not, text }) => textOf(doc).includes(text) !== not)
}

const texts = new WeakMap<Doc, string>()
/** All strings in a document (and its id), lower case, cached until the document changes. */
function textOf(doc: Doc): string {
  let text = texts.get(doc)
  if (text === undefined) {
    const parts: string[] = [doc._id]
    const walk = (value: unknown): void => {
      if (typeof value === 'string') parts.push(value)
      else if (Array.isArray(value)) value.forEach(walk)
      else if (typeof value === 'object' && value !== null)
        for (const [name, child] of Object.entries(value)) if (!name.startsWith('_')) walk(child)
    }
    walk(doc)
    texts.set(doc, (text = parts.join('\n').toLowerCase()))
  }
  return text
}
