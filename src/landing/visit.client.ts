import { whenPainted } from '../site/when-painted.ts'

// D-01: the session, after everything that the visitor waits for; its parts are those that tracking loads too. Where
// they came from is kept at once (landing.ts).
addEventListener('load', () =>
  whenPainted(() => setTimeout(() => import('../session/visit.ts').then((visit) => visit.startVisit()), 100)),
)
