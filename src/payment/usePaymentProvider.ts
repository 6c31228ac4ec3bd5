import type { Stripe } from '@stripe/stripe-js'
import { useEffect, useState } from 'react'
import { paymentProvider } from './provider.ts'

/**
 * The payment script as a form needs it: `stripe` is null until it has loaded, `failed` says that it cannot be loaded
 * now, and `retry` tries again.
 */
export function usePaymentProvider() {
  const [provider, setProvider] = useState<Stripe | null | 'failed'>(null)
  useEffect(() => {
    if (provider !== null) return
    let gone = false
    void paymentProvider().then((stripe) => {
      if (!gone) setProvider(stripe ?? 'failed')
    })
    return () => {
      gone = true
    }
  }, [provider])
  const failed = provider === 'failed'
  return { stripe: failed ? null : provider, failed, retry: () => setProvider(null) }
}
