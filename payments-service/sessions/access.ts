import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Request, Response } from 'express'
import type { Database } from '../../db/connect.ts'
import type { Sessions } from '../../db/types.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import type { Call } from '../http/route.ts'
import { endPaid, OVERLAP_MINUTES, replaceToken } from './browsers.queries.ts'
import { touchSession, writeOpened } from './opened.queries.ts'
import {
  dropTokenCookie,
  hashToken,
  heldTokens,
  mintToken,
  presentedHash,
  presentedToken,
  setTokenCookie,
  TOKEN_DAYS,
} from './token.ts'

export type Session = Selectable<Sessions>
export type AccessKind = 'browser' | 'handover' | 'link' | 'payment_return'

/** A session that this request may open, and the token that opened it. */
export interface OpenSession {
  session: Session
  tokenHash: Buffer
  tokenCreatedAt: Date
  /** How this browser got its token. */
  kind: AccessKind
}

/**
 * The kind of a token that is made from another one. Who came to a paid visit by a mailed link has proved the mailbox
 * alone, and that is all they ever prove there; before the payment whoever types the address takes the visit.
 */
export function kindFrom(
  before: string,
  { payment_status }: Pick<Session, 'payment_status'>,
  otherwise: AccessKind,
): AccessKind {
  return before === 'link' && payment_status !== 'unpaid' ? 'link' : otherwise
}

/** The hash of no token. */
const NO_HASH = Buffer.alloc(0)

/** Whether a token opens a session. */
export async function isLiveToken(db: Database, sessionId: string, hash: Buffer): Promise<boolean> {
  const access = await db
    .selectFrom('session_access')
    .select('session_id')
    .where('token_hash', '=', hash)
    .where('session_id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return access !== undefined
}

/**
 * Opens a session for a request. Throws session_unknown (404), session_token_missing (401: this browser holds no
 * visit), session_forbidden (403: it holds others, or a dead token).
 */
export async function openSession(deps: Deps, req: Request, sessionId: string): Promise<OpenSession> {
  const hash = presentedHash(deps.config, req, sessionId)
  const found = await deps.db
    .selectFrom('sessions as s')
    .leftJoin('session_access as a', (join) =>
      join
        .onRef('a.session_id', '=', 's.id')
        .on('a.token_hash', '=', hash ?? NO_HASH)
        .on('a.expires_at', '>', sql<Date>`now()`)
        .on('a.revoked_at', 'is', null),
    )
    .selectAll('s')
    .select(['a.created_at as granted', 'a.last_used_at as used', 'a.replaces', 'a.kind'])
    .where('s.id', '=', sessionId)
    .executeTakeFirst()
  if (!found) throw new AppError('session_unknown', { field: 'sessionId' })
  if (!hash) throw new AppError(heldTokens(deps.config, req).size > 0 ? 'session_forbidden' : 'session_token_missing')
  const { granted, used, replaces, kind, ...session } = found
  if (!granted) throw new AppError('session_forbidden')

  if (used?.getTime() === granted.getTime()) await markUsed(deps.db, hash, replaces)
  return { session, tokenHash: hash, tokenCreatedAt: granted, kind: kind as AccessKind }
}

/** Opens the session named in the path. */
export function openFrom(deps: Deps, call: Call<unknown>): Promise<OpenSession> {
  return openSession(deps, call.req, call.params['sessionId'] ?? '')
}

/** The first use of a token starts the end of the one it replaces. */
async function markUsed(db: Database, hash: Buffer, replaces: Buffer | null): Promise<void> {
  await db
    .with('ended', (part) =>
      part
        .updateTable('session_access')
        .set({ expires_at: sql<Date>`least(expires_at, now() + make_interval(mins => ${OVERLAP_MINUTES}))` })
        .where('token_hash', '=', replaces),
    )
    .updateTable('session_access')
    .set({ last_used_at: sql<Date>`clock_timestamp()` })
    .where('token_hash', '=', hash)
    .execute()
}

/**
 * Writes into a session with this request's token, which is checked in the same statement (writeOpened). Resolves after
 * the commit; throws as openSession does.
 */
export async function writeByToken(
  deps: Deps,
  req: Request,
  sessionId: string,
  writes: readonly RawBuilder<unknown>[],
): Promise<void> {
  const { db } = deps
  const tokenHash = presentedHash(deps.config, req, sessionId)
  const opened = tokenHash && (await writeOpened(deps.bulk, { sessionId, tokenHash }, writes))
  // throws the usual error; if the token was granted only now, the browser may try again
  if (!opened) {
    await openSession(deps, req, sessionId)
    throw new AppError('service_unavailable', { retryAfter: 1 })
  }
  if (opened.fresh) await markFirstUse(db, tokenHash)
  // the write is done: if this fails, the session's next request marks it
  if (opened.idle) await touchSession(db, sessionId).catch(() => undefined)
}

/** Marks the first use as openSession does, for a token of which nothing else was read. */
async function markFirstUse(db: Database, hash: Buffer): Promise<void> {
  const access = await db
    .selectFrom('session_access')
    .select('replaces')
    .where('token_hash', '=', hash)
    .executeTakeFirst()
  if (access) await markUsed(db, hash, access.replaces)
}

/** Creates a token for a session. `db` may be a transaction. */
export async function grantToken(
  db: Database,
  sessionId: string,
  kind: AccessKind,
  replaces: Buffer | null = null,
): Promise<string> {
  const { token, hash } = mintToken()
  await db
    .insertInto('session_access')
    .values({
      token_hash: hash,
      session_id: sessionId,
      kind,
      replaces,
      expires_at: sql<Date>`now() + make_interval(days => ${TOKEN_DAYS})`,
    })
    .execute()
  return token
}

/**
 * D-01: makes the visit this browser's alone: it gets a fresh token if its own is older than `since` (an address, a
 * payment, a sign-up), and every other browser is signed out. The old token works until the new one was used: a lost
 * reply locks no one out, and no request in flight fails.
 */
export async function rotateToken(
  deps: Deps,
  req: Request,
  res: Response,
  open: OpenSession,
  since: Date,
): Promise<void> {
  if (open.tokenCreatedAt >= since) return
  const { session, tokenHash: replaces } = open
  const { token, hash } = mintToken(presentedToken(deps.config, req, session.id))
  const kind = kindFrom(open.kind, session, 'browser')
  await replaceToken(deps.db, { sessionId: session.id, hash, kind, replaces, days: TOKEN_DAYS })
  setTokenCookie(deps.config, req, res, session.id, token)
}

/** Unpaid visits that a browser keeps: the cookies travel with every request. */
const KEPT = 6

/** Takes the cookies of the oldest unpaid visits away; a paid one stays, however many fresh starts follow. */
export async function dropOldTokens(deps: Deps, req: Request, res: Response): Promise<void> {
  const held = heldTokens(deps.config, req)
  if (held.size <= KEPT) return
  const hashes = new Map([...held].map(([visit, token]) => [hashToken(token).toString('hex'), visit]))
  const known = await deps.db
    .selectFrom('session_access as a')
    .innerJoin('sessions as s', 's.id', 'a.session_id')
    .select(['a.token_hash', 's.payment_status'])
    .where(
      'a.token_hash',
      'in',
      [...hashes.keys()].map((hash) => Buffer.from(hash, 'hex')),
    )
    .orderBy('s.last_activity_at', 'desc')
    .execute()
  const visitOf = (hash: Buffer) => hashes.get(hash.toString('hex')) ?? ''
  const paid = known.filter(({ payment_status }) => payment_status !== 'unpaid')
  const recent = known.filter(({ payment_status }) => payment_status === 'unpaid').slice(0, KEPT)
  const kept = new Set([...paid, ...recent].map(({ token_hash }) => visitOf(token_hash)))
  for (const visit of held.keys()) if (!kept.has(visit)) dropTokenCookie(deps.config, req, res, visit)
}

/**
 * a sign-out ends this browser's access to paid visits, which open the saved card and the answers: the account
 * and links in mails open them again. Unpaid visits stay, because nothing else leads back to them.
 */
export async function leavePaidVisits(deps: Deps, req: Request, res: Response): Promise<void> {
  const held = heldTokens(deps.config, req)
  if (held.size === 0) return
  const visits = new Map([...held].map(([visit, token]) => [hashToken(token).toString('hex'), visit]))
  const ended = await endPaid(
    deps.db,
    [...visits.keys()].map((hash) => Buffer.from(hash, 'hex')),
  )
  for (const hash of ended) dropTokenCookie(deps.config, req, res, visits.get(hash.toString('hex')) ?? '')
}
