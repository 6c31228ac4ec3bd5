import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { HOUR } from '../../contract/time.ts'
import { UUID } from '../../contract/uuid.ts'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { queueMail } from '../jobs/mails.ts'
import { isStillFor, mailLink, newNonce, readingLink, readMailLink } from '../mail/mailed-links.ts'
import { grantToken, kindFrom, type OpenSession } from './access.ts'
import { proveEmail } from './sessions.queries.ts'
import { hashToken } from './token.ts'

/**
 * How a session moves to another browser (architecture, "The session"): by a code that its browser requested, or by a
 * link mailed to its address. A bare id never yields a token.
 */
const CODE_MINUTES = 10
const LINK_HOURS = 24
/** At most one mail per this many minutes, however often it is requested. */
const MAIL_EVERY_MINUTES = 10

/** C-17: creates a single-use code; the token that requested it is revoked when the code is used. */
export async function makeHandover(deps: Deps, open: OpenSession): Promise<string> {
  const code = randomBytes(24).toString('base64url')
  await deps.db
    .insertInto('handover_codes')
    .values({
      code_hash: hashToken(code),
      session_id: open.session.id,
      token_hash: open.tokenHash,
      expires_at: sql<Date>`now() + make_interval(mins => ${CODE_MINUTES})`,
    })
    .execute()
  return code
}

/** whether a session owns a reading and nothing else. */
const readingOnly = sql<boolean>`(select coalesce(bool_and(g.granted_via = 'reading'), false)
  from product_access_grants g where g.session_id = sessions.id and g.revoked_at is null)`

/**
 * C-02: mails a link to the session's address. Does not reveal whether the session or an address exists: knowing an id
 * reveals nothing.
 */
export async function mailResumeLink(deps: Deps, sessionId: string): Promise<void> {
  const { config, db } = deps
  const session = await db
    .selectFrom('sessions')
    .select(['id', 'email', 'name', readingOnly.as('reading')])
    .where('id', '=', sessionId)
    .executeTakeFirst()
  if (!session?.email) return
  const { id: subject, email: to } = session
  const metadata = await db
    .selectFrom('session_metadata')
    .select('timezone')
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  const expiresAt = new Date(Date.now() + LINK_HOURS * HOUR)
  const slot = Math.floor(Date.now() / (MAIL_EVERY_MINUTES * 60_000))
  await queueMail(
    db,
    {
      kind: 'resume_link',
      to: session.email,
      data: {
        name: session.name,
        timeZone: metadata?.timezone ?? null,
        // in the fragment: a mail scanner that follows the link does not use it up
        resumeUrl: session.reading
          ? readingLink(config, { subject, to, expiresAt })
          : mailLink(config, 'resume', { subject, to, expiresAt, nonce: newNonce() }),
        expiresAt: expiresAt.toISOString(),
      },
    },
    `${session.id}:${slot}`,
    { sessionId: session.id, notAfter: expiresAt },
  )
}

export interface OpenedLink {
  sessionId: string
  /** For this browser's cookie. */
  token: string
  /** The visit has an address, but it is not certain that it belongs to whoever opens it here. */
  askEmail: boolean
}

/** Opens a session by a code or a mail's token, once. Throws link_expired if it was used, has expired or is unknown. */
export async function openLink(deps: Deps, code: string): Promise<OpenedLink> {
  const link = readMailLink(deps.config, 'resume', code)
  if (link.state === 'expired') throw expired()
  return deps.db
    .transaction()
    .execute((tx) => (link.state === 'valid' ? useMailed(deps.config, tx, code, link) : useHandover(tx, code)))
}

async function useHandover(tx: Database, code: string): Promise<OpenedLink> {
  const used = await tx
    .updateTable('handover_codes')
    .set({ used_at: sql<Date>`now()` })
    .where('code_hash', '=', hashToken(code))
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['session_id', 'token_hash'])
    .executeTakeFirst()
  if (!used) throw expired()
  // codes of a revoked token are void
  const old = await tx
    .updateTable('session_access')
    .set({ revoked_at: sql<Date>`now()` })
    .where('token_hash', '=', used.token_hash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('kind')
    .executeTakeFirst()
  if (!old) throw expired()
  const session = await readSession(tx, used.session_id)
  const askEmail = session.email !== null && session.payment_status === 'unpaid'
  const token = await grantToken(tx, session.id, kindFrom(old.kind, session, 'handover'))
  return { sessionId: session.id, token, askEmail }
}

/** Opening a mailed link proves the address, while the visit still has it. */
async function useMailed(
  config: Deps['config'],
  tx: Database,
  code: string,
  link: { subject: string; tag: string | null },
): Promise<OpenedLink> {
  const session = await readSession(tx, link.subject)
  if (link.tag === null || !(await isStillFor(tx, config, link, session))) throw expired()
  const token = await grantToken(tx, session.id, 'link')
  const first = await tx
    .insertInto('handover_codes')
    .values({
      code_hash: hashToken(code),
      session_id: session.id,
      token_hash: hashToken(token),
      expires_at: sql<Date>`now()`,
      used_at: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.column('code_hash').doNothing())
    .returning('session_id')
    .executeTakeFirst()
  if (!first) throw expired()
  await proveEmail(tx, session.id)
  return { sessionId: session.id, token, askEmail: false }
}

const expired = () => new AppError('link_expired', { field: 'code' })

/** Locks the session, so that a concurrent change of its address ends the access opened here. */
async function readSession(tx: Database, id: string) {
  if (!UUID.test(id)) throw expired()
  const session = await tx
    .selectFrom('sessions')
    .select(['id', 'email', 'payment_status'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!session) throw expired()
  return session
}
