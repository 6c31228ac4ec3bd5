import { forgetSession, storedSessionId } from './id.ts'
import { tellNewSession } from './queue.ts'
import { local } from './storage.ts'
import { currentSession } from './visit.ts'

/** C-01, C-02: makes a new session and sends it what this browser has said. Null when the service cannot be reached. */
export async function goOnAfresh(lost?: string): Promise<string | null> {
  if (lost && storedSessionId(local) === lost) forgetSession(local)
  const sessionId = await currentSession()
  if (sessionId) await tellNewSession()
  return sessionId
}
