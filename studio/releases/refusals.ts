import type { Document, Finding } from '../check/finding.ts'

/** A release that was not run, or not scheduled, and why; for the notice of it. */
export interface Refusal {
  release: string
  errors: readonly Finding[]
  /** Everything as it would have been. */
  documents: readonly Document[]
}

let refusal: Refusal | undefined
const listeners = new Set<() => void>()

/** The client that refuses is not a component: it leaves a message here. */
export function tellRefusal(next: Refusal | undefined): void {
  refusal = next
  for (const listener of listeners) listener()
}

export const lastRefusal = (): Refusal | undefined => refusal

export function onRefusal(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
