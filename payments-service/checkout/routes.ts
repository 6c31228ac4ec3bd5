import { intentId } from '../../contract/api/payment.ts'
import type { PriceView } from '../../contract/api.ts'
import { isReadingId } from '../../contract/catalogue.ts'
import { CURRENCY } from '../../contract/money.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { DONE, route, type RouteTable } from '../http/route.ts'
import { ensureCustomer } from '../payments/customer.ts'
import { finalize } from '../payments/finalize.ts'
import { purposeOf } from '../payments/purpose.ts'
import { knownProduct } from '../payments/shown.ts'
import { readingPrice } from '../reading/price.ts'
import { openFrom, rotateToken } from '../sessions/access.ts'
import { markCheckoutOpened } from '../sessions/checkout-opened.ts'
import { keepAddress } from '../sessions/keep-address.ts'
import { requireEmail } from '../sessions/sessions.ts'
import { startPayment } from './initial-payment.ts'
import { refuseSecond } from './second-subscription.ts'

export function checkoutRoutes(table: RouteTable, deps: Deps): void {
  route(table, 'price', 'open', async (call) => {
    const id = knownProduct(call.params['productId'] ?? '')
    const price = isReadingId(id)
      ? await readingPrice(deps, id, call.deadline)
      : await deps.prices.priceOf(id, call.deadline)
    const source: PriceView['source'] = price.id === null ? 'fallback' : 'stripe'
    return { productId: id, amount: price.amount, currency: CURRENCY, source }
  })

  route(table, 'customer', 'payment', async (call) => {
    const open = await openFrom(deps, call)
    const { session } = open
    const email = requireEmail(call.body.email)
    const name = call.body.name?.trim() || null
    // the address of a paid session changes only with a code mailed to the new one
    const unpaid =
      session.payment_status === 'unpaid' && (await keepAddress(deps, session, { email, ...(name ? { name } : {}) }))
    await markCheckoutOpened(deps, session)
    await ensureCustomer(deps, session, unpaid ? email : (session.email ?? email), name, call.deadline)
    const changed = unpaid && email !== session.email
    if (changed) await rotateToken(deps, call.req, call.res, open, new Date())
    return DONE
  })

  route(table, 'initialPayment', 'payment', async (call) => {
    const { session } = await openFrom(deps, call)
    if (purposeOf(call.body.productId) === 'first') await refuseSecond(deps, call.req, session)
    return startPayment(deps, session, call.body, call.req.ip, call.deadline)
  })

  route(table, 'finalizePayment', 'payment', async (call) =>
    finalize(deps, call, openFrom(deps, call), call.body.paymentIntentId),
  )

  route(table, 'payment', 'visit', async (call) => {
    const open = await openFrom(deps, call)
    const id = intentId.safeParse(call.params['paymentIntentId'])
    if (!id.success) throw new AppError('payment_not_found', { field: 'paymentIntentId' })
    return finalize(deps, call, open, id.data)
  })
}
