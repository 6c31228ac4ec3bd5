import { z } from 'zod'
import type {
  CustomerRequest,
  FinalizeRequest,
  FinalizeResponse,
  InitialPaymentRequest,
  PaymentResult,
  PriceView,
} from '../../contract/api.ts'
import { isReadingId, PRODUCT_IDS } from '../../contract/catalogue.ts'
import { CURRENCY } from '../../contract/money.ts'
import { paymentMessage } from '../../contract/payment-messages.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import { shown } from '../http/shown-terms.ts'
import { type Call, DONE, route, type RouteTable } from '../http/route.ts'
import { readingPrice } from '../reading/price.ts'
import { type OpenSession, rotateToken, openFrom } from '../sessions/access.ts'
import { done, text } from '../http/schemas.ts'
import { nextPage } from '../sessions/schemas.ts'
import { readNextPage, requireEmail } from '../sessions/sessions.ts'
import { updateSession } from '../sessions/sessions.queries.ts'
import { isFailure } from '../stripe/failure.ts'
import { ensureCustomer } from './customer.ts'
import { markCheckoutOpened } from '../sessions/checkout-opened.ts'
import { startPayment } from './initial-payment.ts'
import { claimOpening, findByIntent, hasSettled } from './intents.queries.ts'
import { purposeOf } from './purpose.ts'
import { refuseSecond } from './second-subscription.ts'
import { type Settlement, settlePayment } from './settle.ts'
import { agreement, knownProduct, productId } from './shown.ts'

const customerBody: z.ZodType<CustomerRequest> = z.object({ email: text(400), name: text(200).exactOptional() })
const method = z.enum(['card', 'paypal'])
/** C-11: the box beside the button. */
export const marketing = {
  marketingConsent: z.boolean().exactOptional(),
  marketing: z.object({ wording: text(2_000), version: text(100), preticked: z.boolean() }).exactOptional(),
}
/** Money is strict: a field that the contract does not know (an amount, a customer) is refused, not ignored. */
const initialBody: z.ZodType<InitialPaymentRequest> = z.strictObject({
  productId,
  paymentMethodType: method,
  shown,
  agreement,
  ...marketing,
})
/** A payment or setup intent of Stripe, by its id alone: a client secret has no business here. */
export const intentId = z
  .string()
  .max(255)
  .regex(/^(pi|seti)_[A-Za-z0-9]+$/)
const finalizeBody: z.ZodType<FinalizeRequest> = z.strictObject({ paymentIntentId: intentId })

export const paymentResult: z.ZodType<PaymentResult> = z.object({
  status: z.enum([
    'requires_payment_method',
    'requires_confirmation',
    'requires_action',
    'processing',
    'succeeded',
    'canceled',
    'requires_capture',
  ]),
  paymentIntentId: z.string(),
  clientSecret: z.string(),
  paymentMethodType: method,
  message: z.string().exactOptional() as unknown as z.ZodType<Exclude<PaymentResult['message'], undefined>>,
})
export const finalizeAnswer: z.ZodType<FinalizeResponse> = z.object({
  status: z.enum(['settled', 'pending']),
  productId: z.enum(PRODUCT_IDS).nullable(),
  nextPage,
})

/**
 * P-04: settles an intent of this session and says where to go. `pending` (202) when Stripe or the bank has not
 * decided, or does not answer within the deadline: the webhook and the poll finish it, and the page asks again. Throws
 * payment_not_found, customer_mismatch (another session's), initial_not_successful, already_subscribed (P-14).
 */
export async function finalize(
  deps: Deps,
  call: Pick<Call<unknown>, 'req' | 'res' | 'deadline' | 'log'>,
  opening: OpenSession | Promise<OpenSession>,
  id: string,
): Promise<FinalizeResponse> {
  const [open, row] = await Promise.all([opening, findByIntent(deps.db, id)])
  const { session } = open
  if (!row) throw new AppError('payment_not_found', { field: 'paymentIntentId' })
  if (row.session_id !== session.id) throw new AppError('customer_mismatch', { field: 'paymentIntentId' })
  const settlement = await settleInTime(deps, call, id)
  if (settlement === 'late' || settlement.state === 'pending') {
    call.res.status(202)
    return { status: 'pending', productId: null, nextPage: await readNextPage(deps, session.id) }
  }
  if (settlement.state === 'failed') {
    const message = paymentMessage('initial_not_successful', { status: settlement.status })
    throw new AppError('initial_not_successful', { message })
  }
  // it started nothing, because another visit's subscription goes on under this address, and goes back by itself
  const second =
    settlement.duplicate && settlement.purpose === 'first' && !(await hasSettled(deps.db, session.id, 'first'))
  if (second) throw new AppError('already_subscribed')
  const [next] = await Promise.all([readNextPage(deps, session.id), rotateAfterPayment(deps, call, open, id)])
  return { status: 'settled', productId: settlement.productId, nextPage: next }
}

async function rotateAfterPayment(
  deps: Deps,
  { req, res }: Pick<Call<unknown>, 'req' | 'res'>,
  open: OpenSession,
  id: string,
): Promise<void> {
  const recorded = await deps.db
    .selectFrom('payments')
    .select('created_at')
    .where('payment_intent_id', '=', id)
    .executeTakeFirst()
  await claimOpening(deps.db, id, true)
  if (recorded) await rotateToken(deps, req, res, open, recorded.created_at)
}

/** Callers of one intent share the look at Stripe. A Stripe that does not answer is no failure of the payment. */
export async function settleInTime(
  deps: Deps,
  { deadline, log }: { deadline: Deadline; log: Deps['log'] },
  id: string,
): Promise<Settlement | 'late'> {
  const work = deps.flights.run(`settle:${id}`, () => settlePayment(deps, id, deadline))
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, deadline.left - 500), 'late' as const)
  })
  try {
    const settlement = await Promise.race([work, late])
    if (settlement === null) throw new AppError('payment_not_found', { field: 'paymentIntentId' })
    return settlement
  } catch (error) {
    if (!isFailure(error, 'away', 'busy')) throw error
    log.warn({ err: error }, 'Stripe did not say what became of a payment; the poll finishes it')
    return 'late'
  } finally {
    clearTimeout(timer)
    work.catch(() => undefined)
  }
}

const priceView: z.ZodType<PriceView> = z.object({
  productId: z.enum(PRODUCT_IDS),
  amount: z.number().int(),
  currency: z.string(),
  source: z.enum(['stripe', 'fallback']),
})

export function checkoutRoutes(table: RouteTable, deps: Deps): void {
  route(table, 'price', { body: undefined, answer: priceView, limit: 'open' }, async (call) => {
    const id = knownProduct(call.params['productId'] ?? '')
    const price = isReadingId(id)
      ? await readingPrice(deps, id, call.deadline)
      : await deps.prices.priceOf(id, call.deadline)
    const source: PriceView['source'] = price.id === null ? 'fallback' : 'stripe'
    return { productId: id, amount: price.amount, currency: CURRENCY, source }
  })

  route(table, 'customer', { body: customerBody, answer: done, limit: 'payment' }, async (call) => {
    const open = await openFrom(deps, call)
    const { session } = open
    const email = requireEmail(call.body.email)
    const name = call.body.name?.trim() || null
    // the address of a paid session changes by a code to the new one only
    if (session.payment_status === 'unpaid')
      await updateSession(deps.db, session.id, { email, ...(name ? { name } : {}) })
    await markCheckoutOpened(deps, session.id)
    await ensureCustomer(
      deps,
      session,
      session.payment_status === 'unpaid' ? email : (session.email ?? email),
      name,
      call.deadline,
    )
    const changed = session.payment_status === 'unpaid' && email !== session.email
    if (changed) await rotateToken(deps, call.req, call.res, open, new Date())
    return DONE
  })

  route(table, 'initialPayment', { body: initialBody, answer: paymentResult, limit: 'payment' }, async (call) => {
    const { session } = await openFrom(deps, call)
    if (purposeOf(call.body.productId) === 'first') await refuseSecond(deps, call.req, session)
    return startPayment(deps, session, call.body, call.req.ip, call.deadline)
  })

  route(table, 'finalizePayment', { body: finalizeBody, answer: finalizeAnswer, limit: 'payment' }, async (call) =>
    finalize(deps, call, openFrom(deps, call), call.body.paymentIntentId),
  )

  route(table, 'payment', { body: undefined, answer: finalizeAnswer, limit: 'visit' }, async (call) => {
    const open = await openFrom(deps, call)
    const id = intentId.safeParse(call.params['paymentIntentId'])
    if (!id.success) throw new AppError('payment_not_found', { field: 'paymentIntentId' })
    return finalize(deps, call, open, id.data)
  })
}
