import { api, pathOf, type SessionView } from '../../contract/api.ts'
import { isSessionLost, request, type Outcome } from '../session/http.ts'
import { isSessionId } from '../session/id.ts'
import * as KEYS from '../session/keys.ts'

/** Consent choices are not a trace of the account, and a refusal has to outlive a sign-out. */
const CHOICES: readonly string[] = [
  KEYS.advertisingConsent,
  KEYS.analyticsConsent,
  KEYS.consentVersion,
  KEYS.consentPending,
]

/** Keys that identify the buyer; the rest of an unpaid visit is a quiz that its visitor may continue. */
const BUYER: readonly string[] = [KEYS.customerEmail, KEYS.customerName, KEYS.userCreated, KEYS.userEmail]

/** Everything that is there, so also what an older release kept under another name. */
const keysOf = (store: Storage): string[] => Array.from({ length: store.length }, (_, at) => store.key(at) ?? '')

interface Places {
  local: Storage
  session: Storage
}

type ReadSession = (sessionId: string) => Promise<Outcome<SessionView>>

const readSession: ReadSession = (sessionId) => request(api.session.method, pathOf(api.session.path, { sessionId }))

/**
 * After a sign-out: removes what the browser kept of the visit and its buyer (OWASP ASVS V14.3.1). A visit that still
 * opens is an unpaid one, because signing out ended the others; of that visit, and of one that the service says nothing
 * about, only the buyer's data is removed. Storage may be blocked.
 */
export async function forgetVisit(places: () => Places, read: ReadSession = readSession): Promise<void> {
  try {
    const { local, session } = places()
    const sessionId = local.getItem(KEYS.sessionId)
    const seen = isSessionId(sessionId) ? await read(sessionId) : null
    const over = seen?.ok ? seen.data.paymentStatus !== 'unpaid' : !seen || isSessionLost(seen)
    const gone = !over ? BUYER : keysOf(local).filter((key) => !CHOICES.includes(key))
    for (const key of gone) local.removeItem(key)
    const evidence = over && local.getItem(KEYS.consentPending)
    // told, and neither to whom nor for whom it was chosen
    if (evidence) local.setItem(KEYS.consentPending, evidence.replace(/"(told|of)":"[^"]*"/g, '"$1":""'))
    session.clear()
  } catch {
    // where nothing can be stored there is nothing to remove
  }
}
