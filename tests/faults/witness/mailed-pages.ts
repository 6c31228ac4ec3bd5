/** The pages behind the links of mails, and the form that cancels without one: what they do, and what they say. */
import type { InvoiceView, SubscriptionView } from '../../../contract/members.ts'
import { type MailLink, mailLink } from '../../../payments-service/mail/mailed-links.ts'
import { afterFailedCard, NOT_CHARGED } from '../../../src/members/card-trouble.ts'
import { afterFailure } from '../../../src/members/trouble.ts'
import { environment } from '../../service/service.ts'
import type { Buyer, Reply } from '../buyer.ts'
import { type Claim, dayOf } from './claims.ts'
import { failureOf, isDone } from './replies.ts'
import type { Stage } from './stage.ts'

/** Whoever opens them, and writes down what they say. */
interface Reader {
  readonly stage: Stage
  readonly zone: string
  readonly email: string
  readonly sessions: readonly string[]
  readonly browser: Buyer
  /** The statement sent by the form, if any. */
  left: string | null
  say(source: string, claim: Claim, at?: number): void
  ask(method: string, path: string, body?: unknown): Promise<Reply | undefined>
  view(source: string, view: SubscriptionView, asked: number): void
}

/** The page behind a link of a mail: it shows the subscription, and does what is confirmed there. */
export async function openLink(reader: Reader, what: 'look' | 'cancel' | 'keep' | 'withdraw'): Promise<void> {
  const [name, purpose] = {
    look: ['cancel', 'cancel'],
    cancel: ['cancel', 'cancel'],
    keep: ['undo-cancel', 'undo_cancel'],
    withdraw: ['withdraw', 'withdraw'],
  }[what] as [string, 'cancel' | 'undo_cancel' | 'withdraw']
  const token = mailed(reader, purpose)
  const at = Math.floor(reader.stage.now())
  const reply = await reader.ask('POST', `/api/links/${name}${what === 'look' ? '/view' : ''}`, { token })
  const subscription = isDone(reply) ? (reply.body.subscription as SubscriptionView | null) : null
  const unchanged = isDone(reply) ? !subscription?.nextCharge : /Nothing/.test(afterFailure(failureOf(reply)))
  if (what === 'keep' && !unchanged) reader.say('keep page', { kind: 'resumed' })
  if (subscription) reader.view(`${what} page`, subscription, at)
  if (what === 'look') await readInvoices(reader)
}

/** Opens every invoice, by the link of its receipt. */
async function readInvoices(reader: Reader): Promise<void> {
  const { db } = reader.stage.world
  const paid = await db.selectFrom('payments').select('id').where('session_id', 'in', reader.sessions).execute()
  for (const { id } of paid) {
    const reply = await reader.ask('POST', '/api/links/invoice/view', { token: mailed(reader, 'invoice', id) })
    const invoice = (reply?.body?.invoice ?? null) as InvoiceView | null
    if (!invoice || invoice.amount === 0) continue
    const { amount, refunded, returned } = invoice
    const day = dayOf(Date.parse(invoice.at) / 1000, reader.zone)
    reader.say('invoice', { kind: 'invoice', amount, day, refunded, returned })
  }
}

/** The token of the link in a mail. */
function mailed(reader: Reader, purpose: MailLink, subject = reader.browser.sessionId): string {
  const { SITE_URL: siteUrl = '', TOKEN_SECRET: tokenSecret = '' } = environment()
  const facts = { subject, to: reader.email }
  return new URL(mailLink({ siteUrl, tokenSecret }, purpose, facts)).hash.slice(1)
}

/** Sends the form that cancels without a sign-in; whoever has bought nothing is told the same. */
export async function leave(reader: Reader): Promise<void> {
  const id = crypto.randomUUID()
  const statement = { id, kind: 'end', contract: 'subscription', name: 'Bea Buyer', email: reader.email, reason: '' }
  const at = reader.stage.now()
  const reply = await reader.ask('POST', '/api/exit', statement)
  // an answer that was lost: what was sent counts all the same, and the page says nothing
  reader.left = id
  if (isDone(reply)) reader.say('cancel form', { kind: 'nothing' }, at)
}

/** Takes the statement back, by the link of its acknowledgement. */
export async function comeBack(reader: Reader): Promise<void> {
  if (!reader.left) return
  const reply = await reader.ask('POST', '/api/exit/take-back', { token: mailed(reader, 'undo_exit', reader.left) })
  const done = isDone(reply) ? reply.body.state === 'taken_back' : !/Nothing/.test(afterFailure(failureOf(reply)))
  if (done) reader.say('cancel form', { kind: 'resumed' })
}

/** Enters a good card behind the link of a mail; what is owed is charged to it. */
export async function enterCard(reader: Reader): Promise<void> {
  const token = mailed(reader, 'update_payment')
  const page = await reader.ask('POST', '/api/links/update-payment/view', { token })
  const owed = (page?.body?.subscription?.owed ?? null) as number | null
  const since = reader.stage.now()
  const setup = await reader.ask('POST', '/api/links/update-payment/setup', { token })
  if (setup?.status !== 200) return
  const { setupIntentId, clientSecret } = setup.body as { setupIntentId: string; clientSecret: string }
  await reader.browser.confirm({ paymentIntentId: setupIntentId, clientSecret })
  const reply = await reader.ask('POST', '/api/links/update-payment', { token, setupIntentId })
  if (isDone(reply)) return reader.view('card page', reply.body.subscription as SubscriptionView, since)
  const words = afterFailedCard(failureOf(reply), owed)
  if (owed !== null && words === NOT_CHARGED) reader.say('card page', { kind: 'not taken', amount: owed, since })
}
