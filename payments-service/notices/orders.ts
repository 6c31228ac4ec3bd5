/** Notices about buying: the order, the account, the charges that follow it. */
import { isAddOnId, product, RENEWAL_DAYS } from '../../contract/catalogue.ts'
import { trialReminder } from '../mail/schedule.ts'
import { cents, common, type Compose, optional, paidWithIntent, paidWithSubscription, productOf, text, toSubscriber } from './compose.ts' // prettier-ignore
import { undoables } from '../upsell/undo.ts'
import { mailLink } from './links.ts'

const DAY = 86_400_000

export const orderConfirmation: Compose = async (deps, buyer, facts) => ({
  mail: {
    kind: 'order_confirmation',
    to: buyer.to,
    data: {
      ...toSubscriber(buyer),
      productId: productOf(facts),
      paid: cents(facts, 'amount'),
      paidAt: text(facts, 'paidAt'),
      paidWith: await paidWithIntent(deps, optional(facts, 'intentId')),
      // add-ons come after the order and have receipts of their own
      addOns: [],
      appUrl: deps.config.appUrl,
      // the address is proved by this very link, so it works in any browser
      accountUrl: buyer.hasAccount ? null : mailLink(deps.config, 'create_account', buyer.sessionId),
    },
  },
})

/** H-05: the receipt of one add-on, with the link that takes it back while there is time. */
export const addOnReceipt: Compose = async (deps, buyer, facts) => {
  const intentId = text(facts, 'intentId')
  const [undo] = await undoables(deps, { intentId })
  const productId = productOf(facts)
  if (!isAddOnId(productId)) throw new TypeError('a receipt of no add-on')
  const open = undo?.state === 'open'
  const undoUrl = open ? mailLink(deps.config, 'undo_add_on', intentId) : null
  return {
    mail: {
      kind: 'addon_receipt',
      to: buyer.to,
      data: {
        ...common(buyer),
        items: [{ productId, amount: cents(facts, 'amount'), undoUrl }],
        paidAt: text(facts, 'paidAt'),
        paidWith: await paidWithIntent(deps, intentId),
        undoUntil: open ? undo.until.toISOString() : null,
        appUrl: deps.config.appUrl,
      },
    },
  }
}

export const oneTimeReceipt: Compose = async (deps, buyer, facts) => ({
  mail: {
    kind: 'one_time_receipt',
    to: buyer.to,
    data: {
      ...common(buyer),
      productId: productOf(facts),
      paid: cents(facts, 'amount'),
      paidAt: text(facts, 'paidAt'),
      paidWith: await paidWithIntent(deps, optional(facts, 'intentId')),
      openUrl: `${deps.config.siteUrl}/summary`,
    },
  },
})

export const accountWelcome: Compose = (deps, buyer) =>
  Promise.resolve({
    mail: {
      kind: 'account_welcome',
      to: buyer.to,
      data: { ...common(buyer), email: buyer.to, appUrl: deps.config.appUrl },
    },
  })

/** sent while there is time to cancel; `isWanted` drops it when it was cancelled in between. */
export const trialEnds: Compose = async (deps, buyer, facts) => {
  const chargeAt = new Date(text(facts, 'chargeAt'))
  const { sendAt, notAfter } = trialReminder(new Date(text(facts, 'startedAt')), chargeAt)
  return {
    mail: {
      kind: 'trial_ends',
      to: buyer.to,
      data: {
        ...toSubscriber(buyer),
        productId: productOf(facts),
        amount: product('monthly').price,
        chargeAt: chargeAt.toISOString(),
        everyDays: RENEWAL_DAYS,
        paidWith: await paidWithSubscription(deps, buyer),
        appUrl: deps.config.appUrl,
      },
    },
    options: { sendAt, notAfter },
  }
}

export const renewalReceipt: Compose = async (deps, buyer, facts) => {
  const intentId = text(facts, 'intentId')
  const payment = await deps.db
    .selectFrom('payments')
    .select('id')
    .where('payment_intent_id', '=', intentId)
    .executeTakeFirst()
  const paidAt = text(facts, 'paidAt')
  const next = buyer.subscription?.current_period_end ?? new Date(Date.parse(paidAt) + RENEWAL_DAYS * DAY)
  return {
    mail: {
      kind: 'renewal_receipt',
      to: buyer.to,
      data: {
        ...toSubscriber(buyer),
        amount: cents(facts, 'amount'),
        paidAt,
        paidWith: await paidWithIntent(deps, intentId),
        nextAmount: product('monthly').price,
        nextChargeAt: next.toISOString(),
        invoiceUrl: payment ? mailLink(deps.config, 'invoice', payment.id) : null,
      },
    },
  }
}
