import { attributionOf, captureHere, readTouches } from './attribution.ts'
import { alone, createSession, ensureSession, type BootstrapWorld } from './bootstrap.ts'
import { sleep } from './id.ts'
import { readMetadata } from './metadata.ts'
import { local } from './storage.ts'

/**
 * The beginning of every visit, on the landing page, an advertorial or the quiz: keep where the visitor came from, have
 * a session. Small (it is the landing page's only script of ours) and never in the way: it resolves, whatever happens.
 */
const world: BootstrapWorld = {
  store: local,
  create: createSession,
  wait: sleep,
  alone: (work) => alone(local, work),
  describe: () => ({
    // without the query: attribution is sent as such, and nothing else of an address belongs to us
    landingUrl: `${location.origin}${location.pathname}`,
    attribution: attributionOf(readTouches(local)),
    metadata: readMetadata(),
  }),
}

let running: Promise<string | null> | undefined

/**
 * The session's id, made when there is none; null while the service cannot be reached. Calls at once share one attempt.
 */
export function currentSession(): Promise<string | null> {
  running ??= ensureSession(world)
    .catch(() => null)
    .finally(() => {
      running = undefined
    })
  return running
}

/** Keeps the attribution of this address (L-06), then the session (D-01). Call once a page. */
export function startVisit(): Promise<string | null> {
  captureHere()
  return currentSession()
}
