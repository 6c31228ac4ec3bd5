import type { KeyboardEvent } from 'react'

const BY: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

/**
 * Arrow keys inside a radio group: focuses the neighbour, wrapping at the ends, and calls `choose` with its index
 * (https://www.w3.org/WAI/ARIA/apg/patterns/radio/).
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
