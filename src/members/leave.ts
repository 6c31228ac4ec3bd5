import * as KEYS from '../session/keys.ts'

/** A choice is no trace of the account, and a refusal has to outlive a sign-out. */
const CHOICES: readonly string[] = [
  KEYS.advertisingConsent,
  KEYS.analyticsConsent,
  KEYS.consentVersion,
  KEYS.consentPending,
]

/**
 * After a sign-out: what a browser kept of the visit and its buyer goes (OWASP ASVS V14.3.1); storage may be barred.
 */
export function forgetVisit(places: () => { local: Storage; session: Storage }): void {
  try {
    const { local, session } = places()
    for (const key of Object.values(KEYS)) if (!CHOICES.includes(key)) local.removeItem(key)
    session.clear()
  } catch {
    // where nothing can be stored there is nothing to forget
  }
}
