// L-06, D-01: where the visitor came from, and the session, after everything that they wait for. Its parts are those that
// tracking loads too; an age button pressed before carries the attribution in its address, and the quiz does the same.
addEventListener('load', () => setTimeout(() => import('../session/visit.ts').then((visit) => visit.startVisit())))
