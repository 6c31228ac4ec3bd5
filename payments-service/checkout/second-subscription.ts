import type { Request } from 'express'
import { askForMail } from '../jobs/asked-mails.ts'
import { isKnownBrowser } from '../accounts/known-browser.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { heldElsewhere } from '../payments/one-an-address.ts'

/**
 * P-14: whoever has a subscription hears of it before paying for another one. On the page only where this browser was
 * signed in with the address before; anybody else who types it learns nothing, and its owner has a mail. A payment that
 * is made all the same starts nothing and goes back (payments/record-success.ts). Throws already_subscribed.
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
