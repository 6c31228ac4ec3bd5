import { forgetSession, storedSessionId } from './id.ts'
import { queueAllAnswers } from './outbox-store.ts'
import { flushOutbox } from './queue.ts'
import { local } from './storage.ts'
import { currentSession } from './visit.ts'

/** C-01, C-02: makes a new session and sends it this browser's answers. Null when the service cannot be reached. */
export async function goOnAfresh(lost?: string): Promise<string | null> {
  if (lost && storedSessionId(local) === lost) forgetSession(local)
  const sessionId = await currentSession()
  if (sessionId) {
    queueAllAnswers()
    await flushOutbox()
  }
  return sessionId
}
