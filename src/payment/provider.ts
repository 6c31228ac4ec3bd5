import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { browserConfig } from '../session/client.ts'
import { sleep } from '../session/id.ts'

/**
 * The payment script. In production it comes from Stripe's own address (it may not be hosted by us); the embedded
 * sandbox names its stand-in in /api/config, which defines window.Stripe before the official loader looks for it.
 */
function addScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.async = true
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      reject(new Error('the payment script did not load'))
    }
    document.head.append(script)
  })
}

let loading: Promise<Stripe | null> | undefined

/** Loads the payment script once per page; null when it cannot be loaded now (the next call tries again). */
export function paymentProvider(): Promise<Stripe | null> {
  loading ??= load()
    .catch(() => null)
    .then((stripe) => {
      if (!stripe) loading = undefined
      return stripe
    })
  return loading
}

/** How long a buyer is kept waiting for Stripe.js, who can do nothing else meanwhile. */
const SCRIPT_MS = 20_000

/** `paymentProvider`, and null where the script takes too long. */
export const providerInTime = (): Promise<Stripe | null> =>
  Promise.race([paymentProvider(), sleep(SCRIPT_MS).then(() => null)])

async function load(): Promise<Stripe | null> {
  const config = await browserConfig()
  if (!config.ok) return null
  const { scriptUrl, publishableKey } = config.data.stripe
  if (scriptUrl && !('Stripe' in window)) await addScript(scriptUrl)
  return loadStripe(publishableKey)
}
