import type { Deadline } from '../http/deadline.ts'
import type { Log } from '../http/logging.ts'
import { isFailure } from '../stripe/failure.ts'
import type { SavedMethodFace } from '../stripe/objects.ts'
import type { StripeGateway } from '../stripe/gateway.ts'

/** The most methods kept in memory. */
const MOST = 5_000
/** Milliseconds a method is kept: when a bank replaces a card, the digits of the saved one change. */
const FRESH = 60_000

/** What a buyer recognises a saved method by. */
type Face = Exclude<SavedMethodFace, { type: 'other' }>

export interface MethodBook {
  /** To name it: null when Stripe cannot say now, or as it was said last. Never throws. */
  faceOf(id: string | null, by: Deadline | undefined): Promise<Face | null>
  /** To charge it: null when Stripe has no such method. Throws StripeFailure where it cannot say. */
  readFace(id: string, by: Deadline | undefined): Promise<Face | null>
}

interface Known {
  face: SavedMethodFace
  at: number
}

const faceIn = (found: Known | undefined): Face | null => (!found || found.face.type === 'other' ? null : found.face)

export function createMethodBook({ stripe, log }: { stripe: StripeGateway; log: Log }): MethodBook {
  const book = new Map<string, Known>()
  async function read(id: string, by: Deadline | undefined): Promise<Known> {
    const kept = book.get(id)
    if (kept && Date.now() - kept.at < FRESH) return kept
    const found = { face: await stripe.readMethod(id, by), at: Date.now() }
    if (book.size >= MOST) book.clear()
    book.set(id, found)
    return found
  }
  return {
    async faceOf(id, by) {
      if (!id) return null
      try {
        return faceIn(await read(id, by))
      } catch (error) {
        log.warn({ err: error }, 'a saved method could not be read')
        return faceIn(book.get(id))
      }
    },
    async readFace(id, by) {
      try {
        return faceIn(await read(id, by))
      } catch (error) {
        if (isFailure(error, 'missing')) return null
        throw error
      }
    },
  }
}
