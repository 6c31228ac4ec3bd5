import { useEffect, useState } from 'react'
import type { SessionView } from '../../contract/api.ts'
import type { ProductId } from '../../contract/catalogue.ts'
import { call } from '../session/client.ts'
import * as KEYS from '../session/keys.ts'
import { local, visit } from '../session/storage.ts'
import * as VISIT_KEYS from '../session/visit-keys.ts'
import type { PayFields } from './form.ts'

/** What is known of the buyer before anything is typed. */
export function knownBuyer(session: Pick<SessionView, 'name' | 'email'>): PayFields {
  return {
    name: session.name ?? local.get(KEYS.customerName) ?? '',
    email: session.email ?? local.get(KEYS.customerEmail) ?? local.get(KEYS.quizEmail) ?? '',
    postalCode: '',
  }
}

/** Stores the buyer's name and e-mail for later pages. */
export function remember({ name, email }: PayFields, productId: ProductId): void {
  local.set(KEYS.currentProduct, productId)
  local.set(KEYS.customerEmail, email.trim())
  local.set(KEYS.customerName, name.trim())
  visit.set(VISIT_KEYS.customerEmail, email.trim())
  visit.set(VISIT_KEYS.customerName, name.trim())
}

/** C-14: creates the customer when the modal opens with a known e-mail; if that fails, only PayPal is not offered. */
export function useCustomer({ sessionId, email, name, hasCustomer }: SessionView): boolean {
  const [has, setHas] = useState(hasCustomer)
  useEffect(() => {
    if (has || !email) return
    let gone = false
    const body = { email, ...(name ? { name } : {}) }
    void call('customer', { path: { sessionId }, body }).then((outcome) => {
      if (outcome.ok && !gone) setHas(true)
    })
    return () => {
      gone = true
    }
  }, [has, sessionId, email, name])
  return has
}
