import { whenPainted } from '../site/when-painted.ts'

// D-01: the session, after everything the visitor waits for; it shares its modules with tracking. The attribution is
// kept at once (landing.ts).
addEventListener('load', () =>
  whenPainted(() => setTimeout(() => import('../session/visit.ts').then((visit) => visit.startVisit()), 100)),
)
