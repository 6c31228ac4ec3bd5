import type { Deadline } from '../http/deadline.ts'
import type { Log } from '../http/logging.ts'
import type { SavedMethodFace } from '../stripe/objects.ts'
import type { StripeGateway } from '../stripe/gateway.ts'

/** Most methods remembered; brand and last digits of one never change. */
const MOST = 5_000

export interface MethodBook {
  /** What a buyer recognises a saved method by; null when Stripe cannot say now. Never throws. */
  faceOf(id: string | null, by: Deadline | undefined): Promise<Exclude<SavedMethodFace, { type: 'other' }> | null>
}

export function createMethodBook({ stripe, log }: { stripe: StripeGateway; log: Log }): MethodBook {
  const known = new Map<string, SavedMethodFace>()
  return {
    async faceOf(id, by) {
      if (!id) return null
      let face = known.get(id)
      if (!face) {
        try {
          face = await stripe.readMethod(id, by)
        } catch (error) {
          log.warn({ err: error }, 'a saved method could not be read')
          return null
        }
        if (known.size >= MOST) known.clear()
        known.set(id, face)
      }
      return face.type === 'other' ? null : face
    },
  }
}
