/** One buyer of a sequence: does its steps as pages and mails let one, and writes down what each of them says. */
import { type AddOnId, product, type ProductId } from '../../../contract/catalogue.ts'
import { shownTerms, type ShownTerms } from '../../../contract/terms.ts'
import type { SubscriptionView } from '../../../contract/members.ts'
import { eraseVisitor } from '../../../payments-service/privacy/erase.ts'
import { listVisits } from '../../../payments-service/privacy/visitor.ts'
import { nextStep, type ProviderError, troubleOfProvider } from '../../../src/payment/failures.ts'
import { termsText } from '../../../src/payment/terms-text.ts'
import { troubleOfCharge } from '../../../src/upsell/charge.ts'
import { orderOf } from '../../support/order.ts'
import { Buyer, type Reply, type Way } from '../buyer.ts'
import type { Random } from '../random.ts'
import type { Claim, Statement } from './claims.ts'
import { decide, desk, findAtStripe, listen } from './desk.ts'
import { comeBack, enterCard, leave, openLink, payOwed, readAccount, readOrder, readUndoLinks } from './mailed-pages.ts'
import { failureOf, isDone } from './replies.ts'
import type { Stage } from './stage.ts'
import { CARDS, PASSWORD, PATHS, type Tab, ZONES } from './props.ts'
import type { Step } from './steps.ts'
import { readView, readWords } from './words.ts'

export class Visitor {
  readonly stage: Stage
  readonly zone: string
  readonly statements: Statement[] = []
  readonly sessions: string[] = []
  readonly emails: string[]
  private readonly random: Random
  private readonly country: string
  browser: Buyer
  private tabs: Tab[] = []
  /** The intents of add-ons, as the page knows them. */
  private addOns: string[] = []
  /** The intents that succeeded at a press. */
  private readonly settled = new Set<string>()
  /** The order that is paid, as the page knows it. */
  private paid: string | null = null
  private askedAt = 0
  private hasAccount = false
  /** The statement sent by the form, if any. */
  left: string | null = null
  private lost = false
  private readonly read = new Set<object>()

  constructor(stage: Stage, random: Random) {
    this.stage = stage
    this.random = random
    this.zone = random.pick(ZONES)
    this.country = random.pick(['DE', 'US'])
    this.browser = new Buyer(stage.world, random)
    this.emails = [this.browser.email]
  }

  /** The current address. */
  get email(): string {
    return this.emails.at(-1) ?? ''
  }

  say(source: string, claim: Claim, at = this.stage.now()): void {
    this.statements.push({ at, source, claim })
  }

  /** One request as a page sends it; undefined when no answer came. */
  async ask(method: string, path: string, body?: unknown): Promise<Reply | undefined> {
    return this.browser.once(method, path, body).catch(() => undefined)
  }

  async arrive(): Promise<void> {
    const again = this.sessions.length > 0
    if (again) this.browser = new Buyer(this.stage.world, this.random)
    this.browser.email = this.email
    this.browser.headers = { 'x-country-code': this.country }
    await this.browser.visit({ timezone: this.zone })
    this.sessions.push(this.browser.sessionId)
    this.say('landing page', { kind: 'arrived' })
    ;[this.tabs, this.addOns, this.paid, this.hasAccount, this.askedAt] = [[], [], null, false, 0]
  }

  /** Reopens a page that was left half-way: it settles what it finds. */
  async reload(): Promise<void> {
    if (this.lost && this.paid) await this.finish(this.paid)
  }

  async step(step: Step): Promise<void> {
    switch (step.do) {
      case 'order':
        return this.order(step.product, step.way, step.card)
      case 'old tab':
        return this.press(this.tabs.at(-2), 'good')
      case 'old price':
        return this.order('trial_9', 'card', 'good', 50)
      case 'add':
        return this.add(step.product, step.way)
      case 'undo':
        return this.undo(step.product)
      case 'look':
        return this.look()
      case 'cancel':
      case 'keep':
      case 'withdraw':
        return this.paid ? openLink(this, step.do) : undefined
      case 'money back':
        return this.moneyBack()
      case 'approve':
      case 'decline':
        return decide(this, step.do)
      case 'visit':
        return this.arrive()
      case 'new card':
        return this.paid ? enterCard(this) : undefined
      case 'pay owed':
        return this.paid ? payOwed(this) : undefined
      case 'leave':
        return leave(this, 'end')
      case 'withdraw by form':
        return leave(this, 'withdraw')
      case 'come back':
        return comeBack(this)
      case 'erase':
        return this.erase()
      case 'late':
        return this.stage.late()
      case 'correct':
        return this.correct()
      case 'device':
        return this.changeDevice()
      case 'desk':
        return void (await desk(this, step.what))
      case 'lose':
        return this.lose(step)
      case 'later':
      case 'at once':
    }
  }

  /** Opens every page that says something of money. */
  private async look(): Promise<void> {
    if (!this.paid) return
    await openLink(this, 'look')
    await readOrder(this)
    await readUndoLinks(this, this.addOns)
    if (this.hasAccount) await readAccount(this)
  }

  /**
   * Sends what the page shows; where the service answers with other figures, the page shows those and is pressed again.
   */
  private async order(productId: ProductId, way: Way, card: keyof typeof CARDS, price?: number): Promise<void> {
    const free = way === 'setup'
    // the page's clock follows the bank's, the service's does not: it is sent its own date, the buyer sees the bank's
    const [sent, seen] = [Date.now(), this.stage.now() * 1000].map((now) =>
      shownTerms(productId, new Date(now), this.zone, free),
    ) as [ShownTerms, ShownTerms]
    const [path, more] = free ? ['/paypal/setup', {}] : ['/payments/initial', { paymentMethodType: way }]
    let shown = price === undefined ? seen : { ...seen, now: price }
    const send = (figures: ShownTerms) => {
      const words = termsText(productId, shown, free ? 'paypal-setup' : 'price')?.words ?? ''
      const agreement = { words, version: '1', page: '/checkout' }
      return this.ask('POST', this.browser.path(path), { productId, shown: figures, agreement, ...more })
    }
    let reply = await send({ ...sent, now: shown.now })
    const terms = reply?.body?.error?.terms as ShownTerms | undefined
    if (terms) {
      shown = { ...seen, now: terms.now }
      reply = await send(terms)
    }
    if (reply?.status !== 200) return
    const words = termsText(productId, shown, free ? 'paypal-setup' : 'price')?.words ?? ''
    const tab = {
      ...reply.body,
      shown: shown.now,
      next: readWords(words, 0).find(({ kind }) => kind === 'next'),
    } as Tab
    this.tabs.push(tab)
    if (card !== 'closed') await this.press(tab, card, way)
  }

  private async press(tab: Tab | undefined, card: keyof typeof CARDS, way: Way = 'card'): Promise<void> {
    if (!tab) return
    const id = tab.paymentIntentId
    if (tab.status === 'succeeded' || tab.status === 'processing') return this.finish(id)
    const since = this.stage.now()
    this.say('order page', { kind: 'pressed', amount: tab.shown, intent: id }, since)
    let { status } = tab
    if (status !== 'requires_action') {
      const lost: { error: ProviderError } = { error: { type: 'api_connection_error' } }
      const { error, ...intent } = await this.browser.confirmation(tab, way, CARDS[card] || undefined).catch(() => lost)
      status = intent.status ?? error?.payment_intent?.status ?? 'unknown'
      const said = error && way === 'card' ? nextStep(troubleOfProvider(error as ProviderError)) : null
      const claim = { kind: 'not taken', amount: tab.shown, since, intent: id } as const
      if (status !== 'succeeded' && status !== 'processing' && /not charged/.test(said ?? ''))
        this.say('order page', claim)
    }
    if (status === 'requires_action' && card !== 'left') {
      await this.browser.authenticate(tab, 'complete')
      status = 'succeeded'
    }
    // an old tab of an order that is paid leads on: what it showed then was agreed to then
    if (tab.next?.kind === 'next' && !this.settled.has(id)) this.say('order page', { ...tab.next, intent: id })
    if (status === 'succeeded') this.settled.add(id)
    if (card === 'elsewhere') this.paid = id
    else if (status === 'succeeded' || status === 'processing') await this.finish(id)
  }

  /** Corrects the address of the order, with the code that is mailed to the right one. */
  private async correct(): Promise<void> {
    // a visit from before keeps its own address
    if (!this.paid || this.sessions.length > 1) return
    const email = `buyer-${crypto.randomUUID().slice(0, 8)}@example.com`
    const asked = await this.ask('POST', this.browser.path('/email/correction'), { email })
    if (!isDone(asked)) return
    const letters = await this.stage.mailsOf([this.browser.sessionId])
    const code = letters.findLast(({ kind }) => kind === 'email_verification_code')?.text.match(/\b\d{6}\b/)?.[0]
    await this.ask('POST', this.browser.path('/email/correction/confirm'), { email, code })
    const { db } = this.stage.world
    const session = db.selectFrom('sessions').select('email').where('id', '=', this.browser.sessionId)
    if ((await session.executeTakeFirst())?.email === email) this.emails.push(email)
  }

  /** Goes on in another browser, by a link that takes the visit over. */
  private async changeDevice(): Promise<void> {
    const link = await this.ask('POST', this.browser.path('/handover'))
    if (!isDone(link)) return
    const other = new Buyer(this.stage.world, this.random)
    const opened = await other.once('POST', '/api/session-links', { code: link.body.code }).catch(() => undefined)
    if (!isDone(opened)) return
    other.sessionId = opened.body.sessionId as string
    other.headers = this.browser.headers
    this.browser = other
    this.hasAccount = false
    if (opened.body.askEmail) await this.ask('PUT', other.path('/email'), { email: this.email })
  }

  private async finish(id: string): Promise<void> {
    this.paid = id
    const reply = await (id.startsWith('seti_')
      ? this.ask('POST', this.browser.path('/paypal/setup/finalize'), { setupIntentId: id })
      : this.ask('POST', this.browser.path('/payments/finalize'), { paymentIntentId: id }))
    this.lost = reply?.status !== 200
    if (reply?.body?.error?.code !== 'already_subscribed') return
    this.say('order page', { kind: 'taken back', intent: id })
    this.lost = false
  }

  private async add(productId: AddOnId, way: 'card' | 'paypal' = 'card'): Promise<void> {
    if (!this.paid) return
    const pressed = { kind: 'pressed', amount: product(productId).price } as const
    const at = this.stage.now()
    const more = way === 'paypal' ? { paymentMethodType: way } : {}
    const reply = await this.ask('POST', this.browser.path('/upsells'), orderOf(productId, more))
    const { status, paymentIntentId: intent = null, clientSecret } = reply?.body ?? {}
    this.say('add-on page', { ...pressed, intent }, at)
    if (intent) this.addOns.push(intent)
    const { amount } = pressed
    const words = isDone(reply) ? '' : (nextStep(troubleOfCharge(failureOf(reply))) ?? '')
    if (/not charged/.test(words)) this.say('add-on page', { kind: 'not taken', amount, since: at })
    if (status === 'requires_action') await this.browser.authenticate(reply?.body, 'complete')
    const by = {
      paypal_redirect_immediate: 'paypal',
      requires_paypal_redirect: 'card',
      requires_new_card: 'card',
    } as const
    const form = by[status as keyof typeof by]
    if (form && intent && clientSecret) await this.browser.confirm(reply?.body, form).catch(() => undefined)
    if ((form || status === 'requires_action') && intent)
      await this.ask('POST', this.browser.path('/payments/finalize'), { paymentIntentId: intent })
  }

  private async undo(productId: AddOnId): Promise<void> {
    const at = Math.floor(this.stage.now())
    const reply = await this.ask('POST', this.browser.path(`/upsells/${productId}/undo`))
    if (!isDone(reply)) return
    const { state, amount } = reply.body as { state: string; amount: number }
    // "undone" may speak of an earlier click
    if (state === 'undone') this.say('undo', { kind: 'refunded', amount, since: 0 })
    if (state === 'unrefunded') this.say('undo', { kind: 'unrefunded' })
    if (state === 'undoing') this.say('undo', { kind: 'refunding', amount, since: at })
  }

  /** Records what the page says of a subscription; `asked`: the time of a refund request made just now. */
  view(source: string, view: SubscriptionView, asked: number): void {
    if (view.moneyBack.request) this.askedAt ||= asked
    const at = this.stage.now()
    readView(view, this.zone, this.askedAt).forEach((claim, place) => this.say(source, claim, at + place / 1000))
  }

  /** Hears seven sessions and asks for the money back in the account. */
  private async moneyBack(): Promise<void> {
    if (!this.paid) return
    if (!this.hasAccount) {
      const made = await this.ask('POST', this.browser.path('/account'), {
        password: PASSWORD,
        passwordConfirmation: PASSWORD,
      })
      if (made?.status !== 200) return
      this.hasAccount = true
      await listen(this)
    }
    const account = await this.ask('GET', '/api/account')
    const id = account?.body?.subscriptions?.[0]?.id as string | undefined
    if (!id) return
    const at = Math.floor(this.stage.now())
    const reply = await this.ask('POST', `/api/subscriptions/${id}/money-back`)
    if (isDone(reply)) this.view('account page', reply.body as SubscriptionView, at)
  }

  private async erase(): Promise<void> {
    this.readLetters(await this.stage.mailsOf(this.sessions))
    try {
      const { db } = this.stage.world
      const visits = (await listVisits(db, this.email)).map(({ id }) => id)
      const { sessions } = await eraseVisitor(db, { who: this.email, visits })
      if (sessions > 0) this.say('privacy', { kind: 'erased' })
    } catch (error) {
      // refused while something is owed to the visitor or still being charged
      if (error instanceof TypeError || (error instanceof Error && 'severity' in error)) throw error
    }
  }

  private async lose({ place, mode }: Extract<Step, { do: 'lose' }>): Promise<void> {
    const known = await findAtStripe(this)
    const about = [...this.sessions, ...this.tabs.map((tab) => tab.paymentIntentId), ...known.ids]
    this.lost = true
    // the SDK retries once when a connection is cut
    const times = mode.startsWith('drop') ? 2 : 1
    await this.stage.world.control('POST', 'faults', {
      from: 'server',
      ...PATHS[place],
      mode,
      times,
      about,
      ms: mode === 'slow' ? 4_000 : 9_000,
    })
  }

  /** Reads the letters that have come, each only once. */
  readLetters(letters: readonly { kind: string; text: string; at: number }[]): void {
    for (const letter of letters.filter((one) => !this.read.has(one))) {
      this.read.add(letter)
      const { at, kind, text } = letter
      const since = this.askedAt && this.askedAt <= at ? this.askedAt : Math.floor(at)
      for (const claim of readWords(text, since)) {
        const asked = claim.kind === 'refunded' && /granted your request/.test(text)
        this.say(`mail ${kind}`, asked ? { ...claim, since } : claim, at)
      }
    }
  }
}
