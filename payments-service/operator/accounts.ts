import { randomUUID } from 'node:crypto'
import { isCommonPassword } from '../accounts/common-passwords.ts'
import { hashPassword } from '../accounts/password.ts'
import type { Database } from '../../db/connect.ts'
import { emailKey, parseEmail } from '../../contract/email.ts'

export const OPERATOR_PASSWORD_MIN = 12

async function requirePassword(password: string): Promise<void> {
  if (password.length < OPERATOR_PASSWORD_MIN) {
    throw new RangeError(`an operator's password has at least ${OPERATOR_PASSWORD_MIN} characters`)
  }
  if (await isCommonPassword(password)) throw new RangeError("an operator's password is none of the common ones")
}

/**
 * Creates an operator; an existing one keeps the password. Throws RangeError for an invalid address and for a password
 * that is too short or too common. Resolves to whether the operator is new.
 */
export async function createOperator(db: Database, address: string, password: string): Promise<boolean> {
  const email = parseEmail(address)
  if (!email) throw new RangeError('this is no e-mail address')
  await requirePassword(password)
  const id = randomUUID()
  const hash = await hashPassword(password)
  return db.transaction().execute(async (tx) => {
    const made = await tx
      .insertInto('operator_user')
      .values({ id, name: 'Operator', email: emailKey(email), email_verified: true })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!made) return false
    await tx
      .insertInto('operator_account')
      .values({ id: randomUUID(), account_id: id, provider_id: 'credential', user_id: id, password: hash })
      .execute()
    return true
  })
}

export interface NewPassword {
  /** The authenticator app is lost: the next sign-in sets up another one. */
  resetSecondFactor?: boolean
}

/**
 * Gives an operator a new password and ends all sign-ins, even begun ones, and passkeys of the account. Throws
 * RangeError when no operator has this address, and for a password that is too short or too common.
 */
export async function setOperatorPassword(
  db: Database,
  address: string,
  password: string,
  { resetSecondFactor = false }: NewPassword = {},
): Promise<void> {
  await requirePassword(password)
  const hash = await hashPassword(password)
  await db.transaction().execute(async (tx) => {
    const { id } = await findOperator(tx, address)
    await tx
      .updateTable('operator_account')
      .set({ password: hash })
      .where('user_id', '=', id)
      .where('provider_id', '=', 'credential')
      .execute()
    await tx.deleteFrom('operator_session').where('user_id', '=', id).execute()
    await tx.deleteFrom('operator_verification').where('value', '=', id).execute()
    // someone with the old password may have added a passkey
    await tx.deleteFrom('operator_passkey').where('user_id', '=', id).execute()
    if (!resetSecondFactor) return
    await tx.deleteFrom('operator_second_factor').where('user_id', '=', id).execute()
    await tx.updateTable('operator_user').set({ two_factor_enabled: false }).where('id', '=', id).execute()
  })
}

async function findOperator(db: Database, address: string): Promise<{ id: string }> {
  const found = await db
    .selectFrom('operator_user')
    .select('id')
    .where('email', '=', emailKey(parseEmail(address) ?? ''))
    .executeTakeFirst()
  if (!found) throw new RangeError('there is no operator with this address')
  return found
}
