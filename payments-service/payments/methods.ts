import type { Deadline } from '../http/deadline.ts'
import type { Log } from '../http/logging.ts'
import type { SavedMethodFace } from '../stripe/objects.ts'
import type { StripeGateway } from '../stripe/gateway.ts'

/** The most methods kept in memory. */
const MOST = 5_000
/** Milliseconds a method is kept: when a bank replaces a card, the digits of the saved one change. */
const FRESH = 60_000

export interface MethodBook {
  /** What a buyer recognises a saved method by; null when Stripe cannot say now. Never throws. */
  faceOf(id: string | null, by: Deadline | undefined): Promise<Exclude<SavedMethodFace, { type: 'other' }> | null>
}

export function createMethodBook({ stripe, log }: { stripe: StripeGateway; log: Log }): MethodBook {
  const known = new Map<string, { face: SavedMethodFace; at: number }>()
  return {
    async faceOf(id, by) {
      if (!id) return null
      let found = known.get(id)
      if (!found || Date.now() - found.at >= FRESH) {
        try {
          found = { face: await stripe.readMethod(id, by), at: Date.now() }
          if (known.size >= MOST) known.clear()
          known.set(id, found)
        } catch (error) {
          log.warn({ err: error }, 'a saved method could not be read')
        }
      }
      return !found || found.face.type === 'other' ? null : found.face
    },
  }
}
