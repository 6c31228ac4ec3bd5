import type { StepKind } from '../../contract/content.ts'
import looks from './later.css?url'
import type { View } from './step-view.ts'
import { Question } from './steps/Question.tsx'

/** The views loaded so far, by kind. The others load while the visitor reads. */
export const views: Partial<Record<StepKind, View>> = { question: Question }

let styled: Promise<unknown> | undefined

/** The styles of the later screens, loaded once; after a failure they may be requested again. */
function fetchLooks(): Promise<unknown> {
  styled ??= new Promise((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = looks
    link.onload = resolve
    link.onerror = () => {
      link.remove()
      styled = undefined
      reject(new Error('The styles of the quiz did not load'))
    }
    document.head.append(link)
  })
  return styled
}

/** Loads the views with their styles; rejects when the network is down, and may be called again. */
export async function fetchViews(): Promise<void> {
  const [{ laterViews }] = await Promise.all([import('./later.ts'), fetchLooks()])
  Object.assign(views, laterViews)
}

/** Fetches everything that the page did not begin with, so that the quiz goes on without a network. */
export function fetchAhead(): void {
  // what does not come now is asked for again where it is needed
  for (const part of [import('../artwork/Icon.tsx'), fetchViews()]) part.catch(() => undefined)
}
