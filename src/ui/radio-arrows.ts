import type { KeyboardEvent } from 'react'

const BY: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

/**
 * Arrow keys inside a radio group: the neighbour takes the focus and is to be chosen, round the end
 * (https://www.w3.org/WAI/ARIA/apg/patterns/radio/). `choose` gets its place.
 */
export function moveByArrow(event: KeyboardEvent<HTMLElement>, choose: (index: number) => void): void {
  const by = BY[event.key]
  if (by === undefined) return
  event.preventDefault()
  const radios = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=radio]')]
  const at = radios.findIndex((radio) => radio === document.activeElement)
  const to = (at + by + radios.length) % radios.length
  radios[to]?.focus()
  choose(to)
}
