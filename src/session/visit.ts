import { attributionOf, captureHere, readTouches } from './attribution.ts'
import { alone, createSession, ensureSession, type BootstrapWorld } from './bootstrap.ts'
import { sleep } from './id.ts'
import { readMetadata } from './metadata.ts'
import { local } from './storage.ts'

/**
 * The beginning of every visit, on the landing page, an advertorial or the quiz: records where the visitor came from
 * and ensures a session. Small (it is the only script of ours on the landing page); always resolves.
 */
const world: BootstrapWorld = {
  store: local,
  create: createSession,
  wait: sleep,
  alone: (work) => alone(local, work),
  describe: () => ({
    // without the query: attribution is sent separately, and nothing else in the address is ours to keep
    landingUrl: `${location.origin}${location.pathname}`,
    attribution: attributionOf(readTouches(local)),
    metadata: readMetadata(),
  }),
}

let running: Promise<string | null> | undefined

/**
 * The session's id, creating the session if there is none; null while the service cannot be reached. Concurrent calls
 * share one attempt.
 */
export function currentSession(): Promise<string | null> {
  running ??= ensureSession(world)
    .catch(() => null)
    .finally(() => {
      running = undefined
    })
  return running
}

/** Keeps the attribution of this address (L-06), then ensures the session (D-01). Call once a page. */
export function startVisit(): Promise<string | null> {
  captureHere()
  return currentSession()
}
