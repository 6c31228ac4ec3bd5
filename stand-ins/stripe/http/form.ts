// Form-encoded bodies and queries with brackets: `items[0][price]=x`, `expand[]=y`, `metadata[a b]=c`.
import { refused } from './errors.ts'

/** A decoded form before types are known: every leaf is a string. */
export type Form = string | Form[] | { [name: string]: Form }
export type FormObject = { [name: string]: Form }

function steps(name: string): string[] {
  const open = name.indexOf('[')
  if (open === -1) return [name]
  const out = [name.slice(0, open)]
  for (const part of name.slice(open).matchAll(/\[([^[\]]*)\]/g)) out.push(part[1] ?? '')
  return out
}

type Node = Map<string, Node | string>

function toForm(node: Node | string): Form {
  if (typeof node === 'string') return node
  const names = [...node.keys()]
  if (names.length > 0 && names.every((name) => /^\d+$/.test(name) || name.startsWith('\0'))) {
    return names.map((name) => toForm(node.get(name) ?? ''))
  }
  const out: FormObject = Object.create(null) as FormObject
  for (const name of names) out[name] = toForm(node.get(name) ?? '')
  return out
}

/** Decodes a body or query string. Throws Stripe's 400 when a name is used both as a value and as an object. */
export function decodeForm(text: string): FormObject {
  const root: Node = new Map()
  let unnamed = 0
  for (const [name, value] of new URLSearchParams(text)) {
    let node = root
    const path = steps(name)
    path.forEach((raw, index) => {
      // `a[]` means "one more": each gets its own number, so that order is kept.
      const step = raw === '' && index > 0 ? `\0${unnamed++}` : raw
      if (index === path.length - 1) {
        node.set(step, value)
        return
      }
      const next = node.get(step)
      if (typeof next === 'string') throw refused(`Invalid parameter encoding: ${name}`)
      const child: Node = next ?? new Map<string, Node | string>()
      node.set(step, child)
      node = child
    })
  }
  const form = toForm(root)
  return typeof form === 'object' && !Array.isArray(form) ? form : {}
}
