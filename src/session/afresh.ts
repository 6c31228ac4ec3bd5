import { forgetSession, keepSessionId, storedSessionId } from './id.ts'
import { tellNewSession } from './queue.ts'
import { local } from './storage.ts'
import { currentSession } from './visit.ts'

/** C-01, C-02: makes a new session and sends it what this browser has said. Null when the service cannot be reached. */
export async function goOnAfresh(lost?: string): Promise<string | null> {
  const held = lost && storedSessionId(local) === lost
  if (held) forgetSession(local)
  const sessionId = await currentSession()
  if (sessionId) await tellNewSession()
  // the answers here are still those of the old one, for another try
  else if (held) keepSessionId(local, lost)
  return sessionId
}
