import { call } from './client.ts'

/**
 * A code that lets another browser open the session, for addresses an in-app browser may hand over. Null if none can be
 * had.
 */
export async function handoverCode(sessionId: string): Promise<string | null> {
  const outcome = await call('handover', { path: { sessionId } })
  return outcome.ok ? outcome.data.code : null
}

/**
 * C-02: mails a link to the session's e-mail address; the answer never says whether it has one. 'later': asked too
 * often.
 */
export async function askForResumeLink(sessionId: string): Promise<'sent' | 'later' | 'failed'> {
  const outcome = await call('resumeLink', { path: { sessionId } })
  return outcome.ok ? 'sent' : outcome.status === 429 ? 'later' : 'failed'
}
