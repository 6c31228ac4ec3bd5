import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { emailKey, parseEmail } from '../../contract/email.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { enqueue, stableId } from '../jobs/outbox.queries.ts'
import type { OutboxHandler } from '../jobs/outbox.ts'
import { mailWayOut } from '../notices/way-out.ts'
import { latestSubscription } from '../notices/buyer.ts'
import type { OpenSession } from '../sessions/access.ts'
import { endOthers } from '../sessions/browsers.queries.ts'
import { isFailure } from '../stripe/failure.ts'
import { takeAddress } from '../payments/one-an-address.ts'
import { Refused } from '../queue/queue.ts'
import { sendCode, useCode } from '../accounts/codes.ts'
import { accountFrom, readdressAccount } from '../accounts/readdress.ts'

/**
 * The corrected address. Throws not_paid, account_email_invalid, order_has_account where it has one and this
 * browser came by a mailed link.
 */
async function wanted({ db }: Deps, { session, kind }: OpenSession, email: string): Promise<string> {
  if (session.payment_status === 'unpaid') throw new AppError('not_paid')
  const address = parseEmail(email)
  if (!address) throw new AppError('account_email_invalid', { field: 'email' })
  // a stranger with a mistyped address could take the order from its buyer's account
  const reader = kind === 'link' && (await accountFrom(db, session.id).executeTakeFirst())
  if (reader) throw new AppError('order_has_account')
  return address
}

/** A-01, 'Wrong email?': mails a code to the right address. The paying browser asks; the code proves the mailbox. */
export async function startCorrection(deps: Deps, open: OpenSession, email: string): Promise<void> {
  const address = await wanted(deps, open, email)
  const { id } = open.session
  await sendCode(deps, 'correct_email', id, address, id)
}

/**
 * Stores the corrected address wherever mails, receipts and the sign-in take it from; every other browser is signed out
 * (`signedIn`: the sign-in of this one). Throws code_wrong, already_subscribed when both have a subscription that
 * runs on (P-14).
 */
export async function finishCorrection(
  deps: Deps,
  open: OpenSession,
  { email, code, signedIn }: { email: string; code: string; signedIn: string | null },
): Promise<void> {
  const { session } = open
  const address = await wanted(deps, open, email)
  await useCode(deps, 'correct_email', session.id, address, code)
  await deps.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('sessions')
      .set({ email: address, email_proved_at: sql<Date>`now()` })
      .where('id', '=', session.id)
      .execute()
    if (!(await takeAddress(tx, session.id, address))) throw new AppError('already_subscribed', { field: 'email' })
    await endOthers(tx, session.id, open.tokenHash)
    await tx.updateTable('payments').set({ customer_email: address }).where('session_id', '=', session.id).execute()
    await tx
      .updateTable('product_access_grants')
      .set({ customer_email: emailKey(address) })
      .where('session_id', '=', session.id)
      .execute()
    // Stripe's own receipts go to its customer's address
    await enqueue(tx, { kind: 'readdress_customer', reason: randomUUID(), sessionId: session.id, payload: {} })
    // the links in earlier mails stop working, so mail new ones: cancelling stays one click away (H-04)
    if (await latestSubscription(tx, session.id))
      await mailWayOut(tx, session.id, `corrected:${session.id}:${stableId(address)}`, { corrected: true })
    await readdressAccount(tx, { sessionId: session.id, address, signedIn })
    // the quiz's row for the mistyped address
    await tx.deleteFrom('users').where('session_id', '=', session.id).where('auth_user_id', 'is', null).execute()
  })
}

/** gives the paying customer the session's current address, however often it was corrected. */
export const readdressCustomer: OutboxHandler = async ({ db, stripe }, job) => {
  const payers = await db
    .selectFrom('payments')
    .innerJoin('sessions', 'sessions.id', 'payments.session_id')
    .select(['payments.stripe_customer_id as id', 'sessions.email'])
    .distinct()
    .where('payments.session_id', '=', job.session_id)
    .where('payments.stripe_customer_id', 'is not', null)
    .execute()
  for (const { id, email } of payers) {
    if (!id || !email) continue
    try {
      await stripe.readdressCustomer(id, email, undefined)
    } catch (error) {
      if (isFailure(error, 'missing', 'refused')) throw new Refused(error.message)
      throw error
    }
  }
}
