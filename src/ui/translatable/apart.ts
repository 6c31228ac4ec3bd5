import { Fragment, type ReactNode } from 'react'
import { jsx } from 'react/jsx-runtime'

const isText = (one: ReactNode): one is string | number =>
  typeof one === 'number' || (typeof one === 'string' && one !== '')
const isNothing = (one: ReactNode): boolean => one === null || one === undefined || one === '' || one === !!one

/**
 * The children of an element, so that each text is alone in its element. A browser that translates puts `<font>` in the
 * place of a text; React then no longer finds the one that it changes, removes, or inserts something before (its issue
 * 11538): the old price stays on the page, or the page breaks. A text that is alone is set anew as the
 * content of its element. Texts that follow each other become one; among elements they get a `<span>`. No child changes
 * its place, which is its identity.
 */
export function apart(type: unknown, children: readonly ReactNode[]): ReactNode {
  // what stands around a fragment is not known here
  if (type !== Fragment && children.every((one) => isText(one) || isNothing(one))) {
    return children.filter(isText).join('')
  }
  const slots: ReactNode[] = []
  let begun = -1
  for (const [at, one] of children.entries()) {
    if (isText(one) && begun < 0) begun = at
    const goesOn = isText(one) && begun < at
    slots.push(goesOn ? null : one)
    if (goesOn) slots[begun] = `${String(slots[begun])}${one}`
    if (!isText(one) && !isNothing(one)) begun = -1
  }
  // nobody translates a space
  return slots.map((one) => (isText(one) && /\S/.test(String(one)) ? jsx('span', { children: one }) : one))
}
