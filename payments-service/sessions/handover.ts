import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { signLink, verifyLink } from '../mail/links.ts'
import { queueMail } from '../mail/queue.ts'
import { type AccessKind, grantToken, type OpenSession } from './access.ts'
import { hashToken } from './token.ts'

/**
 * How a session gets into another browser (architecture, "The session"): by a code that its browser made, or by a link
 * in a mail to its address. A bare id never yields a token.
 */
const CODE_MINUTES = 10
const LINK_HOURS = 24
/** One mail in so many minutes, however often it is asked for. */
const MAIL_EVERY_MINUTES = 10

/** C-17: a single-use code; the token that asked for it dies when the code is used. */
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

/**
 * C-02: mails a link to the session's address. Says nothing about whether there is a session or an address: whoever
 * knows an id learns nothing from it.
 */
export async function mailResumeLink(deps: Deps, sessionId: string): Promise<void> {
  const { config, db } = deps
  const session = await db.selectFrom('sessions').select(['id', 'email', 'name']).where('id', '=', sessionId).executeTakeFirst() // prettier-ignore
  if (!session?.email) return
  const metadata = await db.selectFrom('session_metadata').select('timezone').where('session_id', '=', sessionId).executeTakeFirst() // prettier-ignore
  const expiresAt = new Date(Date.now() + LINK_HOURS * 3_600_000)
  const token = signLink({ purpose: 'resume', subject: `${session.id} ${randomBytes(9).toString('base64url')}`, expiresAt }, config.tokenSecret) // prettier-ignore
  const slot = Math.floor(Date.now() / (MAIL_EVERY_MINUTES * 60_000))
  await queueMail(
    db,
    {
      kind: 'resume_link',
      to: session.email,
      data: {
        name: session.name,
        timeZone: metadata?.timezone ?? null,
        // in the fragment: it reaches no server log, and a mail scanner that follows the link does not use it up
        resumeUrl: `${config.siteUrl}/redirect#resume=${token}`,
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
}

/** Opens a session by a code or a mail's token, once. Throws link_expired for what is used, over or unknown. */
export async function openLink(deps: Deps, code: string): Promise<OpenedLink> {
  const link = verifyLink(code, 'resume', deps.config.tokenSecret)
  if (link.state === 'expired') throw new AppError('link_expired', { field: 'code' })
  return deps.db
    .transaction()
    .execute((tx) =>
      link.state === 'valid' ? useMailed(tx, code, link.subject.split(' ')[0] ?? '') : useHandover(tx, code),
    )
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
  if (!used) throw new AppError('link_expired', { field: 'code' })
  // a token that died since takes its codes with it
  const old = await tx
    .updateTable('session_access')
    .set({ revoked_at: sql<Date>`now()` })
    .where('token_hash', '=', used.token_hash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('session_id')
    .executeTakeFirst()
  if (!old) throw new AppError('link_expired', { field: 'code' })
  return grant(tx, used.session_id, 'handover')
}

async function useMailed(tx: Database, code: string, sessionId: string): Promise<OpenedLink> {
  const opened = await grant(tx, sessionId, 'link')
  const first = await tx
    .insertInto('handover_codes')
    .values({
      code_hash: hashToken(code),
      session_id: sessionId,
      token_hash: hashToken(opened.token),
      expires_at: sql<Date>`now()`,
      used_at: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.column('code_hash').doNothing())
    .returning('session_id')
    .executeTakeFirst()
  if (!first) throw new AppError('link_expired', { field: 'code' })
  return opened
}

async function grant(tx: Database, sessionId: string, kind: AccessKind): Promise<OpenedLink> {
  const session = await tx.selectFrom('sessions').select('id').where('id', '=', sessionId).executeTakeFirst()
  if (!session) throw new AppError('link_expired', { field: 'code' })
  return { sessionId, token: await grantToken(tx, sessionId, kind) }
}
