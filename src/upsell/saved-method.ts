import { call } from '../session/client.ts'
import type { Saved } from './upsell-text.ts'

/** What add-ons are charged to now: a card that was typed for one of them pays for the next (U-06, P-08). */
export async function savedMethod(sessionId: string): Promise<Saved> {
  const context = await call('paymentContext', { path: { sessionId }, timeoutMs: 8_000 })
  return context.ok ? context.data : null
}
