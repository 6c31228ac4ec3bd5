// L-06, D-01: where the visitor came from, and the session, a moment after everything that they wait for, as tracking does,
// with which it shares its parts. An age button pressed before carries the attribution in its address to the quiz.
addEventListener('load', () => setTimeout(() => import('../session/visit.ts').then((visit) => visit.startVisit()), 400))
