import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { emailKey } from '../../contract/email.ts'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { isSame, keyedHash, tokenSecrets } from '../keys/keys.ts'
import { queueMail } from '../jobs/mails.ts'

export type CodePurpose = 'correct_email' | 'join_purchases'

const MINUTES = 20
/** Wrong tries before a code is worthless: a million codes, five guesses each. */
const MOST_TRIES = 5
/** Codes of one subject within an hour. */
const MOST_CODES = 5

function hashOf(secret: string, purpose: CodePurpose, subject: string, email: string, code: string): Buffer {
  return keyedHash(secret, 'email code', `${purpose}\0${subject}\0${emailKey(email)}\0${code}`)
}

/** Mails six digits that prove an address (A-01, A-02). Throws too_many_requests after five within an hour. */
export async function sendCode(
  { db, config }: Deps,
  purpose: CodePurpose,
  subject: string,
  email: string,
  sessionId: string | null,
): Promise<void> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const expiresAt = new Date(Date.now() + MINUTES * 60_000)
  await db.transaction().execute(async (tx) => {
    if (!(await mayHaveCode(tx, purpose, subject))) throw new AppError('too_many_requests', { retryAfter: 1_800 })
    const { id } = await tx
      .insertInto('email_codes')
      .values({
        purpose,
        subject,
        email,
        code_hash: hashOf(config.tokenSecret, purpose, subject, email, code),
        expires_at: expiresAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const queued = await queueMail(
      tx,
      { kind: 'email_verification_code', to: email, data: { code, expiresAt: expiresAt.toISOString(), why: purpose } },
      id,
      { notAfter: expiresAt, ...(sessionId ? { sessionId } : {}) },
    )
    if (!queued) throw new AppError('too_many_requests', { retryAfter: 3_600 })
  })
}

/** Counts under a lock: concurrent requests would all find the same count. */
async function mayHaveCode(tx: Database, purpose: CodePurpose, subject: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`codes ${purpose} ${subject}`}, 0))`.execute(tx)
  const { n } = await tx
    .selectFrom('email_codes')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .where('created_at', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow()
  return Number(n) < MOST_CODES
}

/** Uses a code up. Throws code_wrong. A try is counted before the comparison, so that parallel guesses count too. */
export async function useCode(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  purpose: CodePurpose,
  subject: string,
  email: string,
  code: string,
): Promise<void> {
  const wrong = new AppError('code_wrong', { field: 'code' })
  if (!/^\d{6}$/.test(code)) throw wrong
  const row = await db
    .updateTable('email_codes')
    .set({ tries: sql<number>`tries + 1` })
    .where(
      'id',
      '=',
      db
        .selectFrom('email_codes')
        .select('id')
        .where('purpose', '=', purpose)
        .where('subject', '=', subject)
        .orderBy('id', 'desc')
        .limit(1),
    )
    .where('used_at', 'is', null)
    .where('tries', '<', MOST_TRIES)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['id', 'code_hash', 'email'])
    .executeTakeFirst()
  if (!row || emailKey(row.email) !== emailKey(email)) throw wrong
  const isRight = (secret: string) => isSame(row.code_hash, hashOf(secret, purpose, subject, email, code))
  if (!tokenSecrets(config).some(isRight)) throw wrong
  // of several concurrent callers with the right code, only one uses it
  const used = await db
    .updateTable('email_codes')
    .set({ used_at: sql<Date>`now()` })
    .where('id', '=', row.id)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  if (used.numUpdatedRows === 0n) throw wrong
}
