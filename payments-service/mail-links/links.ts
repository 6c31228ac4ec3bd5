import { canCancel, type LinkName, type LinkView } from '../../contract/members.ts'
import { DAY, HOUR } from '../../contract/time.ts'
import { UUID } from '../../contract/uuid.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import { isQueued, stableId } from '../jobs/outbox.queries.ts'
import { queueMail } from '../jobs/mails.ts'
import { standingOf } from '../money-back/request.ts'
import { type Buyer, readBuyer } from '../notices/buyer.ts'
import { mailWayOut } from '../notices/way-out.ts'
import type { FreshLink } from '../mail/mail.ts'
import { isStillFor, type MailLink, mailLink, readMailLink } from '../mail/mailed-links.ts'
import { visitToCancel } from '../payments/one-an-address.ts'
import { viewInvoice } from '../subscriptions/invoices.ts'
import { nextChargeOf, stateOf } from '../subscriptions/state.ts'
import { isKeepable, viewRequest, viewSubscription } from '../members/subscription-view.ts'

const PURPOSES: Record<LinkName, MailLink> = {
  cancel: 'cancel',
  'undo-cancel': 'undo_cancel',
  'update-payment': 'update_payment',
  withdraw: 'withdraw',
  invoice: 'invoice',
  'create-account': 'create_account',
}

export function isLinkName(name: string): name is LinkName {
  return Object.hasOwn(PURPOSES, name)
}

/** `moved`: mailed to an address that the session no longer has; it opens nothing for readers there. */
type Found = { state: 'invalid' } | { state: 'valid' | 'expired' | 'moved'; subject: string; sessionId: string }

async function find({ config, db }: Deps, name: LinkName, token: string): Promise<Found> {
  const link = readMailLink(config, PURPOSES[name], token)
  if (link.state === 'invalid' || !UUID.test(link.subject)) return { state: 'invalid' }
  const { subject, state } = link
  const sessions = db.selectFrom('sessions').select(['sessions.id', 'sessions.email'])
  const session = await (
    name === 'invoice'
      ? sessions.innerJoin('payments', 'payments.session_id', 'sessions.id').where('payments.id', '=', subject)
      : sessions.where('sessions.id', '=', subject)
  ).executeTakeFirst()
  if (!session) return { state: 'invalid' }
  if (!(await isStillFor(db, config, link, session))) return { state: 'moved', subject, sessionId: session.id }
  if (name !== 'cancel') return { state, subject, sessionId: session.id }
  const visit = await visitToCancel(db, session)
  return { state, subject: visit, sessionId: visit }
}

/**
 * The id of the session or payment that a link is about. Throws link_invalid, link_expired (H-04: it opens nothing).
 */
export async function subjectOf(deps: Deps, name: LinkName, token: string): Promise<string> {
  const link = await find(deps, name, token)
  if (link.state === 'invalid') throw new AppError('link_invalid')
  if (link.state !== 'valid') throw new AppError('link_expired')
  return link.subject
}

/** "ad•••@example.org": recognisable to its owner, useless to others. */
export function masked(email: string): string {
  const [local = '', domain = ''] = email.split('@')
  return `${local.slice(0, Math.min(2, Math.max(1, local.length - 1)))}•••@${domain}`
}

const NOTHING: LinkView = {
  state: 'invalid',
  email: null,
  subscription: null,
  amount: null,
  keepsSubscription: false,
  withdrawal: null,
  invoice: null,
}

/** The withdrawal that waits or was granted: the page would name the sum of a declined one as a promise. */
async function viewWithdrawal(deps: Deps, sessionId: string): Promise<LinkView['withdrawal']> {
  const request = await viewRequest(deps, sessionId, 'withdrawal')
  return request?.status === 'declined' ? null : request
}

/** Whether nothing can be withdrawn from any more, and no withdrawal waits or was granted. */
async function isWithdrawalOver(deps: Deps, sessionId: string): Promise<boolean> {
  const { eligible } = await standingOf(deps, sessionId, 'withdrawal')
  return !eligible && !(await viewWithdrawal(deps, sessionId))
}

/** Whether a fresh link would do nothing: none is mailed, its words would not be true. */
async function isPointless(deps: Deps, name: LinkName, buyer: Buyer): Promise<boolean> {
  const { sessionId, subscription, hasAccount } = buyer
  switch (name) {
    case 'withdraw':
      return isWithdrawalOver(deps, sessionId)
    case 'undo-cancel':
      return !subscription || !(await isKeepable(deps, subscription))
    case 'update-payment':
      return !subscription || stateOf(subscription) === 'ended'
    case 'cancel':
      return (
        subscription !== null && !canCancel({ state: stateOf(subscription), nextCharge: nextChargeOf(subscription) })
      )
    case 'create-account':
      return hasAccount
    case 'invoice':
      return false
  }
}

/**
 * H-04: what a link would do, shown before anything is done. Changes nothing: mail programs open links by themselves.
 */
export async function viewLink(deps: Deps, name: LinkName, token: string, by: Deadline): Promise<LinkView> {
  const link = await find(deps, name, token)
  if (link.state === 'invalid') return NOTHING
  // a reader of the old mailbox must not learn the new address
  if (link.state === 'moved') return { ...NOTHING, state: 'expired' }
  if (name === 'invoice') {
    if (link.state === 'expired') return { ...NOTHING, state: 'expired' }
    return { ...NOTHING, state: 'valid', invoice: await viewInvoice(deps, link.subject, null, by) }
  }
  const buyer = await readBuyer(deps, link.subject)
  if (!buyer) return NOTHING
  const email = masked(buyer.to)
  if (link.state === 'expired') {
    return { ...NOTHING, state: (await isPointless(deps, name, buyer)) ? 'done' : 'expired', email }
  }
  const subscription = buyer.subscription ? await viewSubscription(deps, buyer.subscription, by) : null
  const view: LinkView = { ...NOTHING, state: 'valid', email, subscription }
  switch (name) {
    case 'cancel':
      return { ...view, state: subscription && canCancel(subscription) ? 'valid' : 'done' }
    case 'undo-cancel':
      return { ...view, state: subscription?.keepable ? 'valid' : 'done' }
    case 'withdraw': {
      const { eligible, amount, endsSubscription: ends } = await standingOf(deps, link.subject, 'withdrawal')
      const withdrawal = await viewWithdrawal(deps, link.subject)
      return { ...view, amount, keepsSubscription: !ends, withdrawal, state: eligible ? 'valid' : 'done' }
    }
    case 'update-payment':
      return { ...view, state: subscription && subscription.state !== 'ended' ? 'valid' : 'done' }
    case 'create-account':
      // this link was mailed, so its reader may see the whole address
      return { ...view, email: buyer.to, subscription: null, state: buyer.hasAccount ? 'done' : 'valid' }
  }
}

/**
 * H-04: mails a fresh link for an expired one, only to the address on record. Sends nothing for an invalid one, nor
 * where it would do nothing. Throws too_many_requests when the address had its mails of the day.
 */
export async function mailFreshLink(deps: Deps, name: LinkName, token: string): Promise<void> {
  const link = await find(deps, name, token)
  if (link.state === 'invalid' || name === 'invoice') throw new AppError('link_invalid')
  const buyer = await readBuyer(deps, link.subject)
  if (!buyer) throw new AppError('link_invalid')
  if (await isPointless(deps, name, buyer)) return
  // at most one per hour and old link
  const reason = `fresh:${stableId(token)}:${Math.floor(Date.now() / HOUR)}`
  if (name === 'create-account' || name === 'update-payment' || name === 'undo-cancel') {
    const freshFor = PURPOSES[name] as FreshLink
    const resumeUrl = mailLink(deps.config, freshFor, { subject: buyer.sessionId, to: buyer.to })
    const { name: buyerName, timeZone, to, sessionId } = buyer
    const expiresAt = new Date(Date.now() + 30 * DAY).toISOString()
    const data = { name: buyerName, timeZone, resumeUrl, expiresAt, freshFor }
    const queued = await queueMail(deps.db, { kind: 'resume_link', to, data }, reason, { sessionId })
    if (!queued && !(await isQueued(deps.db, 'mail:resume_link', reason)))
      throw new AppError('too_many_requests', { retryAfter: HOUR / 1000 })
    return
  }
  await mailWayOut(deps.db, buyer.sessionId, reason, name === 'withdraw' ? { freshFor: name } : {})
}
