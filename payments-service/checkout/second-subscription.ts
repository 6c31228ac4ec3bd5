import type { Request } from 'express'
import { askForMail } from '../jobs/asked-mails.ts'
import { isKnownBrowser } from '../accounts/known-browser.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { heldElsewhere } from '../payments/one-an-address.ts'

/**
 * P-14: stops a buyer who has a subscription from paying for another. The page says so only where this browser has
 * signed in with the address before; elsewhere it reveals nothing, and the owner of the address gets a mail. A payment
 * made nevertheless starts nothing and is refunded (payments/record-success.ts). Throws already_subscribed.
 */
export async function refuseSecond(
  deps: Deps,
  req: Request,
  session: { id: string; email: string | null },
): Promise<void> {
  if (!session.email) return
  if (!isKnownBrowser(deps.config, req, session.email)) return askForMail(deps, 'already_subscribed', session.id)
  if (await heldElsewhere(deps.db, session.email, session.id)) throw new AppError('already_subscribed')
}
