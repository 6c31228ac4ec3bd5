import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import type {
  AnswersView,
  CreateSessionRequest,
  CreateSessionResponse,
  NextPage,
  SaveAnswersRequest,
  SessionView,
} from '../../contract/api.ts'
import { DEFAULT_TRIAL, product, trialByPrice } from '../../contract/catalogue.ts'
import { emailKey, parseEmail } from '../../contract/email.ts'
import { toCents, toDollars } from '../../contract/money.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { dropOldTokens, grantToken, isLiveToken, writeByToken, type OpenSession, type Session } from './access.ts'
import { answersWrite } from './answers.queries.ts'
import { noteSignal } from './consents.queries.ts'
import { countryOf, isBot, metadataOf, signalsPrivacy } from './metadata.ts'
import { findByClientKey, findProgress, insertVisit, listAnswers, updateSession } from './sessions.queries.ts'
import { signedIn } from './signed-in.ts'
import { mintToken, presentedHash, setTokenCookie, TOKEN_DAYS } from './token.ts'

/**
 * Seconds in which a browser whose first reply was lost (D-02 tries three times, a phone may return hours later) may
 * get a token again. Any longer, and someone who learns a client key could enter the visit.
 */
const RETRY_SECONDS = 86_400

/** D-01, D-03: the session of a client key, made or found; a browser's signal against advertising is noted with it. */
export async function createSession(
  deps: Deps,
  req: Request,
  res: Response,
  body: CreateSessionRequest,
): Promise<CreateSessionResponse> {
  const opened = await makeOrFind(deps, req, res, body)
  if (signalsPrivacy(req)) await noteSignal(deps.db, opened.sessionId, countryOf(req, deps.config) ?? null)
  return opened
}

/**
 * Sets the token cookie for a new session, and again for the same browser within a day while the session is empty;
 * later, a known key needs the token (403 session_forbidden: the browser makes a new key and starts afresh).
 */
async function makeOrFind(
  deps: Deps,
  req: Request,
  res: Response,
  body: CreateSessionRequest,
): Promise<CreateSessionResponse> {
  const key = createHash('sha256').update(body.clientKey).digest('hex')
  const metadata = metadataOf(req, body, deps.config)
  const { token, hash } = mintToken()
  const visit = { clientKey: key, isBot: isBot(req), metadata, tokenHash: hash, tokenDays: TOKEN_DAYS }
  const sessionId = await insertVisit(deps.db, visit)
  const made = sessionId ? { sessionId, token } : undefined
  if (made) {
    setTokenCookie(deps.config, req, res, made.sessionId, made.token)
    await dropOldTokens(deps, req, res)
    return { sessionId: made.sessionId, created: true }
  }

  const found = await findByClientKey(deps.db, key)
  if (!found) throw new AppError('service_unavailable', { retryAfter: 1 })
  if (!(await holdsToken(deps, req, found.id))) {
    const age = (Date.now() - found.created_at.getTime()) / 1000
    const empty = found.email === null && found.payment_status === 'unpaid' && !found.answered
    const sameBrowser = (found.user_agent ?? null) === (metadata['user_agent'] ?? null)
    if (age > RETRY_SECONDS || !empty || !sameBrowser) throw new AppError('session_forbidden', { field: 'clientKey' })
    setTokenCookie(deps.config, req, res, found.id, await grantToken(deps.db, found.id, 'browser'))
  }
  return { sessionId: found.id, created: false }
}

async function holdsToken(deps: Deps, req: Request, sessionId: string): Promise<boolean> {
  const hash = presentedHash(deps.config, req, sessionId)
  return hash !== undefined && (await isLiveToken(deps.db, sessionId, hash))
}

/**
 * C-02: the next unfinished page. `own`: the account was made from this visit; `signedUp`: it needs none, also because
 * its buyer has one.
 */
export function nextPageOf(session: Session, { own, signedUp }: { own: boolean; signedUp: boolean }): NextPage {
  if (session.payment_status === 'unpaid') {
    return session.quiz_completed_at || session.selected_price_cents !== null ? 'checkout' : 'quiz'
  }
  // whoever has signed up is past the add-ons, also where the request that left them was lost
  if (!own && !session.upsell_finished_at) return 'multi-upsell'
  return signedUp ? 'thank-you' : 'user-creation'
}

/**
 * Whether a paid visit needs no sign-up: an account was made from it, or this browser is signed in to one with its
 * address. Of another one nobody learns here, because the address was only typed.
 */
async function isSignedUp(deps: Deps, req: Request, session: Session, own: boolean): Promise<boolean> {
  if (own || session.payment_status === 'unpaid') return own
  const account = await signedIn(deps, req)
  return account?.user.email === emailKey(session.email ?? '')
}

/** The next page of a session in this browser, read afresh. */
export async function readNextPage(deps: Deps, req: Request, sessionId: string): Promise<NextPage> {
  const { account, ...session } = await deps.db
    .selectFrom('sessions as s')
    .selectAll('s')
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('users as u')
          .select('u.id')
          .whereRef('u.session_id', '=', 's.id')
          .where('u.auth_user_id', 'is not', null),
      )
        .$castTo<boolean>()
        .as('account'),
    )
    .where('s.id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return nextPageOf(session, { own: account, signedUp: await isSignedUp(deps, req, session, account) })
}

export async function viewSession(deps: Deps, req: Request, { session }: OpenSession): Promise<SessionView> {
  const { account, customer, over } = await findProgress(deps.db, session.id)
  const signedUp = await isSignedUp(deps, req, session, account)
  const cents = session.selected_price_cents
  return {
    sessionId: session.id,
    email: session.email,
    name: session.name,
    selectedPrice: cents === null ? null : toDollars(cents),
    trialId: (cents === null ? undefined : trialByPrice(cents)) ?? DEFAULT_TRIAL,
    paymentStatus: session.payment_status === 'unpaid' ? 'unpaid' : 'paid',
    paymentMethodType:
      session.payment_method === 'card' || session.payment_method === 'paypal' ? session.payment_method : null,
    hasCustomer: customer,
    upsellDone: session.upsell_finished_at !== null,
    accountCreated: signedUp,
    nextPage: nextPageOf(session, { own: account, signedUp }),
    ...(over ? { over } : {}),
  }
}

/** A date before the product: answers that a broken clock dates earlier get this one. PostgreSQL has no year 0. */
const EARLIEST = Date.UTC(2020, 0, 1)

/**
 * Saves answers; resolves after the commit. A time in the future counts as now, or that answer could never be changed
 * again. An address (`email`) is no answer and is not kept: it has its own endpoint. Throws as openSession does.
 */
export async function saveAnswers(
  deps: Deps,
  req: Request,
  sessionId: string,
  { answers }: SaveAnswersRequest,
): Promise<number> {
  const now = Date.now()
  const latest = new Map<string, { questionId: string; answer: string; at: number }>()
  for (const { questionId, answer, answeredAt } of answers) {
    if (questionId === 'email') continue
    const at = Math.max(EARLIEST, Math.min(Date.parse(answeredAt), now))
    const known = latest.get(questionId)
    if (!known || known.at <= at) latest.set(questionId, { questionId, answer, at })
  }
  const rows = [...latest.values()].map(({ at, ...rest }) => ({ ...rest, answeredAt: new Date(at).toISOString() }))
  await writeByToken(deps, req, sessionId, rows.length > 0 ? [answersWrite(rows)] : [])
  return answers.length
}

export async function viewAnswers(deps: Deps, sessionId: string): Promise<AnswersView> {
  const rows = await listAnswers(deps.db, sessionId)
  return {
    answers: rows.map((row) => ({
      questionId: row.question_id,
      answer: row.answer,
      answeredAt: row.updated_at.toISOString(),
    })),
  }
}

/** Parses an address with the contract's parser (S-23). Throws invalid_body with the field if it is invalid. */
export function requireEmail(text: string): string {
  const email = parseEmail(text)
  if (!email) throw new AppError('invalid_body', { field: 'email' })
  return email
}

/** S-33: stores the chosen price, given in dollars. Throws unknown_price. */
export async function choosePrice(deps: Deps, sessionId: string, dollars: number): Promise<void> {
  const cents = knownPrice(dollars)
  await updateSession(deps.db, sessionId, {
    selected_price_cents: cents,
    pricing_data: JSON.stringify({ selectedPrice: toDollars(cents), updatedAt: new Date().toISOString() }),
  })
}

function knownPrice(dollars: number): number {
  let cents: number
  try {
    cents = toCents(dollars)
  } catch {
    throw new AppError('unknown_price', { field: 'selectedPrice' })
  }
  if (!trialByPrice(cents) && cents !== product('special_offer').price) {
    throw new AppError('unknown_price', { field: 'selectedPrice' })
  }
  return cents
}
