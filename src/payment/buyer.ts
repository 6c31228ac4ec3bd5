import { useEffect, useState } from 'react'
import type { SessionView } from '../../contract/api.ts'
import { call } from '../session/client.ts'
import * as KEYS from '../session/keys.ts'
import { local, visit } from '../session/storage.ts'
import * as VISIT_KEYS from '../session/visit-keys.ts'
import type { PayFields } from './form.ts'
import type { Purchase } from './order.ts'

/** What orders were placed with, by session. A form that opens anew finds a view of the session from before them. */
const ordered = new Map<string, PayFields>()
/** The sessions that have a customer since. */
const customers = new Set<string>()

/** What is known of the buyer before anything is typed. */
export function knownBuyer({ sessionId, name, email }: Pick<SessionView, 'sessionId' | 'name' | 'email'>): PayFields {
  return (
    ordered.get(sessionId) ?? {
      name: name ?? local.get(KEYS.customerName) ?? '',
      email: email ?? local.get(KEYS.customerEmail) ?? local.get(KEYS.quizEmail) ?? '',
      postalCode: '',
    }
  )
}

/** Stores the buyer's name and e-mail for later pages, and for this form when it opens again. */
export function remember(fields: PayFields, { session, productId }: Pick<Purchase, 'session' | 'productId'>): void {
  const [name, email] = [fields.name.trim(), fields.email.trim()]
  ordered.set(session.sessionId, { ...fields, name, email })
  local.set(KEYS.currentProduct, productId)
  local.set(KEYS.customerEmail, email)
  local.set(KEYS.customerName, name)
  visit.set(VISIT_KEYS.customerEmail, email)
  visit.set(VISIT_KEYS.customerName, name)
}

/** C-14: creates the customer when the modal opens with a known e-mail; if that fails, only PayPal is not offered. */
export function useCustomer(session: SessionView): boolean {
  const { sessionId, hasCustomer } = session
  const [has, setHas] = useState(hasCustomer || customers.has(sessionId))
  useEffect(() => {
    const { email, name } = ordered.get(sessionId) ?? session
    if (has || !email) return
    let gone = false
    const body = { email, ...(name ? { name } : {}) }
    void call('customer', { path: { sessionId }, body }).then((outcome) => {
      if (!outcome.ok) return
      customers.add(sessionId)
      if (!gone) setHas(true)
    })
    return () => {
      gone = true
    }
  }, [has, sessionId, session])
  return has
}
