/** The pages behind the links of mails, and the form that cancels without one: what they do, and what they say. */
import type { PurchasesView, UndoLinkView } from '../../../contract/api.ts'
import type { AccountView, CardSaved, InvoiceLine, InvoiceView, SubscriptionView } from '../../../contract/members.ts'
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
  const sure = isDone(reply)
  const unchanged = sure ? !subscription?.nextCharge : /Nothing/.test(afterFailure(failureOf(reply)))
  if (what === 'keep' && !unchanged) reader.say('keep page', { kind: 'resumed', sure })
  if (subscription) reader.view(`${what} page`, subscription, at)
  if (what === 'look') await readInvoices(reader)
}

/** The page after an order: what was bought, what is being taken back, and the next charge. */
export async function readOrder(reader: Reader): Promise<void> {
  const reply = await reader.ask('GET', reader.browser.path('/purchases'))
  if (!isDone(reply)) return
  const { items, nextCharge } = reply.body as PurchasesView
  const page = 'thank-you page'
  reader.say(page, { kind: 'bought', amounts: items.map(({ amount }) => amount).filter((amount) => amount > 0) })
  if (!nextCharge) return
  const { amount, at } = nextCharge
  reader.say(page, { kind: 'next', amount, day: dayOf(Date.parse(at) / 1000, reader.zone) })
}

/** The page behind the link of a receipt that takes an add-on back: whether it was. */
export async function readUndoLinks(reader: Reader, intents: readonly string[]): Promise<void> {
  for (const intent of intents) {
    const at = Math.floor(reader.stage.now())
    const reply = await reader.ask('POST', '/api/links/undo-add-on/view', {
      token: mailed(reader, 'undo_add_on', intent),
    })
    const { state, amount } = (reply?.body ?? {}) as Partial<UndoLinkView>
    if (!amount) continue
    if (state === 'undone') reader.say('undo page', { kind: 'refunded', amount, since: 0 })
    if (state === 'unrefunded') reader.say('undo page', { kind: 'unrefunded' })
    if (state === 'undoing') reader.say('undo page', { kind: 'refunding', amount, since: at - 1 })
  }
}

/** The account: all subscriptions at a glance, and every payment. */
export async function readAccount(reader: Reader): Promise<void> {
  const account = await reader.ask('GET', '/api/account')
  const views = isDone(account) ? (account.body as AccountView).subscriptions : []
  // one that is over says nothing of the one that runs
  const running = views.filter(({ nextCharge, owed }) => nextCharge !== null || owed !== null)
  for (const view of running.length > 0 ? running : views.slice(0, 1)) reader.view('account page', view, 0)
  const paid = await reader.ask('GET', '/api/invoices')
  for (const line of isDone(paid) ? (paid.body.invoices as InvoiceLine[]) : []) sayInvoice(reader, 'account page', line)
}

/** Opens every invoice, by the link of its receipt. */
async function readInvoices(reader: Reader): Promise<void> {
  const { db } = reader.stage.world
  const paid = await db.selectFrom('payments').select('id').where('session_id', 'in', reader.sessions).execute()
  for (const { id } of paid) {
    const reply = await reader.ask('POST', '/api/links/invoice/view', { token: mailed(reader, 'invoice', id) })
    const invoice = (reply?.body?.invoice ?? null) as InvoiceView | null
    if (invoice) sayInvoice(reader, 'invoice', invoice)
  }
}

function sayInvoice(reader: Reader, source: string, { at, amount, refunded, returned }: InvoiceLine): void {
  const day = dayOf(Date.parse(at) / 1000, reader.zone)
  if (amount > 0) reader.say(source, { kind: 'invoice', amount, day, refunded, returned })
}

/** The token of the link in a mail. */
function mailed(reader: Reader, purpose: MailLink, subject = reader.browser.sessionId): string {
  const { SITE_URL: siteUrl = '', TOKEN_SECRET: tokenSecret = '' } = environment()
  const facts = { subject, to: reader.email }
  return new URL(mailLink({ siteUrl, tokenSecret }, purpose, facts)).hash.slice(1)
}

/** Sends the form that cancels, or withdraws, without a sign-in; a visitor who has bought nothing reads the same. */
export async function leave(reader: Reader, kind: 'end' | 'withdraw'): Promise<void> {
  const id = crypto.randomUUID()
  const contract = kind === 'end' ? 'subscription' : 'everything'
  const statement = { id, kind, contract, name: 'Bea Buyer', email: reader.email, reason: '' }
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
  const sure = isDone(reply)
  const done = sure ? reply.body.state === 'taken_back' : !/Nothing/.test(afterFailure(failureOf(reply)))
  if (done) reader.say('cancel form', { kind: 'resumed', sure })
}

/** Pays what is owed with the method on file, behind the link of a mail: the button names both. */
export async function payOwed(reader: Reader): Promise<void> {
  const token = mailed(reader, 'update_payment')
  const page = await reader.ask('POST', '/api/links/update-payment/view', { token })
  const shown = (page?.body?.subscription ?? null) as SubscriptionView | null
  if (!shown?.owed || !shown.paidWith) return
  const { owed, paidWith } = shown
  await payDebt(reader, owed, () => reader.ask('POST', '/api/links/update-payment/payment', { token, owed, paidWith }))
}

/** Enters a good card behind the link of a mail; what is owed is charged to it. */
export async function enterCard(reader: Reader): Promise<void> {
  const token = mailed(reader, 'update_payment')
  const page = await reader.ask('POST', '/api/links/update-payment/view', { token })
  const owed = (page?.body?.subscription?.owed ?? null) as number | null
  const setup = await reader.ask('POST', '/api/links/update-payment/setup', { token })
  if (setup?.status !== 200) return
  const { setupIntentId, clientSecret } = setup.body as { setupIntentId: string; clientSecret: string }
  await reader.browser.confirm({ paymentIntentId: setupIntentId, clientSecret })
  await payDebt(reader, owed, () => reader.ask('POST', '/api/links/update-payment', { token, setupIntentId, owed }))
}

/** Sends what pays a debt, confirms it in the bank's dialog where there is one, and says what the page then says. */
async function payDebt(reader: Reader, owed: number | null, send: () => Promise<Reply | undefined>): Promise<void> {
  const since = reader.stage.now()
  const uncharged = () => {
    if (owed !== null) reader.say('card page', { kind: 'not taken', amount: owed, since })
  }
  if (owed !== null) reader.say('card page', { kind: 'paying', amount: owed }, since)
  let reply = await send()
  const clientSecret = isDone(reply) ? (reply.body as CardSaved).clientSecret : null
  if (clientSecret) {
    const paymentIntentId = clientSecret.split('_secret_')[0] ?? ''
    await reader.browser.authenticate({ paymentIntentId, clientSecret }, 'complete')
    reply = await send()
    // the bank has said yes: the page says that the payment is on its way, or that a part is paid
    if (!isDone(reply) || !['paid', 'saved'].includes((reply.body as CardSaved).result)) return
  }
  if (!isDone(reply)) {
    if (afterFailedCard(failureOf(reply), owed) === NOT_CHARGED) uncharged()
    return
  }
  const { result, subscription } = reply.body as CardSaved
  if (result === 'owed' || result === 'unasked') uncharged()
  reader.view('card page', subscription, since)
}
