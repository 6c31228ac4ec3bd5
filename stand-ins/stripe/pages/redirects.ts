// The pages a buyer is sent to: PayPal's approval and the bank's 3-D Secure.
import { type Engine } from '../engine.ts'
import { answerPayment, type Answer } from '../objects/payments.ts'
import { answerSetup } from '../objects/setup-intents.ts'
import { type Stripe } from '../stripe-types.ts'
import { escapeHtml } from '../../html.ts'
import { htmlPage } from './html.ts'

type Intent = Stripe.PaymentIntent | Stripe.SetupIntent

/** The open intent behind a link, when the link carries its client secret. */
export function intentOfLink(engine: Engine, id: string, secret: string | null): Intent | undefined {
  const found = engine.state.find(id)
  if (found?.object !== 'payment_intent' && found?.object !== 'setup_intent') return undefined
  return found.client_secret === secret ? found : undefined
}

/** Applies the buyer's answer. An intent without a pending action is left unchanged, so a second click is harmless. */
export async function answerIntent(engine: Engine, id: string, answer: Answer): Promise<Intent> {
  const found = engine.state.find(id)
  if ((found?.object === 'payment_intent' || found?.object === 'setup_intent') && found.status === 'requires_action') {
    engine.job(`buyer.${answer}`, (tx) => {
      if (found.object === 'payment_intent') answerPayment(tx, tx.need('payment_intent', id), answer)
      if (found.object === 'setup_intent') answerSetup(tx, tx.need('setup_intent', id), answer)
    })
    await engine.ledger.settled()
  }
  return engine.state.find(id) as Intent
}

/** Where the buyer goes afterwards: the merchant's `return_url` with Stripe's parameters. */
export function returnAddress(engine: Engine, intent: Intent, succeeded: boolean): string | null {
  const target = engine.state.hidden.get(intent.id)?.returnUrl
  if (!target || !URL.canParse(target)) return null
  const url = new URL(target)
  const name = intent.object
  url.searchParams.set(name, intent.id)
  url.searchParams.set(`${name}_client_secret`, intent.client_secret ?? '')
  url.searchParams.set('redirect_status', succeeded ? 'succeeded' : 'failed')
  return url.href
}

function amountOf(intent: Intent): string {
  if (intent.object === 'setup_intent') return 'Nothing is charged now; future payments are approved.'
  return `${(intent.amount / 100).toFixed(2)} ${intent.currency.toUpperCase()}`
}

/** The page with its buttons. */
export function redirectPage(kind: 'paypal' | '3ds', intent: Intent, secret: string): ReturnType<typeof htmlPage> {
  const paypal = kind === 'paypal'
  const title = paypal ? 'PayPal (test)' : '3D Secure 2 (test)'
  const buttons: [Answer, string][] = paypal
    ? [
        ['complete', 'Approve'],
        ['cancel', 'Cancel'],
        ['fail', 'Fail'],
        ['complete_once', 'Accept once, decline later charges'],
      ]
    : [
        ['complete', 'Complete'],
        ['fail', 'Fail'],
      ]
  const waiting = intent.status === 'requires_action'
  return htmlPage(
    title,
    `<main class="card"><h1>${title}</h1><p>${
      paypal
        ? 'This stands in for PayPal’s page. Choose how the buyer leaves it.'
        : 'This stands in for the bank’s page. Choose how the buyer leaves it.'
    }</p><p class="amount">${escapeHtml(amountOf(intent))}</p>${
      waiting
        ? ''
        : `<p role="status">This payment waits for nothing any more (${escapeHtml(intent.status)}). ` +
          'Any button leads back.</p>'
    }<form method="post"><input type="hidden" name="client_secret" value="${escapeHtml(secret)}">${buttons
      .map(
        ([answer, words], index) =>
          `<button name="answer" value="${answer}" class="${index === 0 ? 'primary' : ''}">${words}</button>`,
      )
      .join('')}</form></main>`,
  )
}
