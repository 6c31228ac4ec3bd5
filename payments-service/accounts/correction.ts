import { emailKey, parseEmail } from '../../contract/email.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import type { Session } from '../sessions/access.ts'
import { sendCode, useCode } from './codes.ts'

/** The corrected address. Throws not_paid, invalid_body, account_exists where somebody signs in with it already. */
async function wanted({ db }: Deps, session: Session, email: string): Promise<string> {
  if (session.payment_status === 'unpaid') throw new AppError('not_paid')
  const address = parseEmail(email)
  if (!address) throw new AppError('account_email_invalid', { field: 'email' })
  const taken = await db
    .selectFrom('users')
    .select('id')
    .where('session_id', '=', session.id)
    .where('auth_user_id', 'is not', null)
    .executeTakeFirst()
  // with an account the address is a user name, and changes there
  if (taken) throw new AppError('account_exists', { field: 'email' })
  return address
}

/** A-01, 'Wrong email?': mails a code to the right address. The paying browser asks; the code proves the mailbox. */
export async function startCorrection(deps: Deps, session: Session, email: string): Promise<void> {
  const address = await wanted(deps, session, email)
  await sendCode(deps, 'correct_email', session.id, address, session.id)
}

/** Takes the corrected address, everywhere mails and receipts come from. Throws code_wrong. */
export async function finishCorrection(deps: Deps, session: Session, email: string, code: string): Promise<void> {
  const address = await wanted(deps, session, email)
  await useCode(deps.db, deps.config.tokenSecret, 'correct_email', session.id, address, code)
  await deps.db.transaction().execute(async (tx) => {
    await tx.updateTable('sessions').set({ email: address }).where('id', '=', session.id).execute()
    await tx.updateTable('payments').set({ customer_email: address }).where('session_id', '=', session.id).execute()
    await tx
      .updateTable('product_access_grants')
      .set({ customer_email: emailKey(address) })
      .where('session_id', '=', session.id)
      .execute()
    // the row that the quiz made for the mistyped address
    await tx.deleteFrom('users').where('session_id', '=', session.id).where('auth_user_id', 'is', null).execute()
  })
}
