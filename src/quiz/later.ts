import type { StepKind } from '../../contract/content.ts'
import looks from './later.css?url'
import type { View } from './step-view.ts'

/** One file per kind of step; the question view is part of the page. */
const FILES: Record<Exclude<StepKind, 'question'>, () => Promise<{ default: View }>> = {
  info: () => import('./steps/Info.tsx'),
  loader: () => import('./steps/Loader.tsx'),
  email: () => import('./steps/Email.tsx'),
  risk: () => import('./steps/Risk.tsx'),
  summary: () => import('./steps/Summary.tsx'),
  recovery: () => import('./steps/Recovery.tsx'),
  plan: () => import('./steps/Plan.tsx'),
  timeline: () => import('./steps/Timeline.tsx'),
  press: () => import('./steps/Press.tsx'),
  testimonials: () => import('./steps/Testimonials.tsx'),
  price: () => import('./steps/Price.tsx'),
}

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

/** The view of a kind, with its styles loaded; rejects when the network is down. */
export async function fetchLater(kind: Exclude<StepKind, 'question'>): Promise<View> {
  const [file] = await Promise.all([FILES[kind](), fetchLooks()])
  return file.default
}
