import { sleep } from '../session/id.ts'
import type { Confirmation } from './pay.ts'

/** How long PayPal has for its answer. A press after it pays the same intent, or one in its place (P-02). */
const PATIENCE_MS = 15_000

/**
 * C-14: a call of Stripe.js that leaves the page for PayPal. Resolves with its error, or without one once this page is
 * still there, or again: the buyer stopped it, or comes back from PayPal's app. Stripe.js itself never answers then.
 */
export function leaving(asked: Promise<Confirmation>): Promise<Confirmation> {
  const here = stillHere()
  return Promise.race([here, asked.then((answer) => (answer.error ? answer : here))])
}

async function stillHere(): Promise<Confirmation> {
  let shown = (): void => undefined
  const again = new Promise<void>((resolve) => {
    shown = () => {
      if (document.visibilityState === 'visible') resolve()
    }
    document.addEventListener('visibilitychange', shown)
  })
  await Promise.race([again, sleep(PATIENCE_MS)])
  document.removeEventListener('visibilitychange', shown)
  return {}
}
