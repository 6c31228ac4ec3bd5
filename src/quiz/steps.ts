import type { StepKind } from '../../contract/content.ts'
import type { View } from './step-view.ts'
import { Question } from './steps/Question.tsx'

/** The views loaded so far, by kind. The others load while the visitor reads. */
export const views: Partial<Record<StepKind, View>> = { question: Question }

/** Loads the view of a kind; rejects when the network is down, and may be called again. */
export async function fetchView(kind: StepKind): Promise<void> {
  if (views[kind] || kind === 'question') return
  const { fetchLater } = await import('./later.ts')
  views[kind] = await fetchLater(kind)
}

/** Fetches everything that is still missing, in the order of the steps, so that the quiz goes on without a network. */
export async function fetchAllViews(kinds: readonly StepKind[]): Promise<void> {
  void import('./steps/Icon.tsx').catch(() => undefined)
  for (const kind of new Set(kinds)) await fetchView(kind).catch(() => undefined)
}
