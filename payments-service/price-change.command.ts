/**
 * H-01: after a new price of the subscription in the catalogue and `npm run stripe:setup`, new buyers pay it at once;
 * `npm run price-change` lists the running subscriptions that it concerns, `npm run price-change -- announce` has their
 * buyers told 7 to 30 days before they are charged it. Safe to repeat.
 */
import { formatMoney } from '../contract/money.ts'
import { readConfig } from './config.ts'
import { createLog } from './http/logging.ts'
import { createService } from './service.ts'
import { mayFollow, planPrice, repriceable } from './subscriptions/planned-price.ts'
import { syncSubscription } from './subscriptions/sync.ts'

const [verb = 'list'] = process.argv.slice(2)
const service = createService(readConfig(process.env), createLog('error'))
const { deps } = service
try {
  if (verb === 'list' || verb === 'announce') {
    const price = await deps.prices.priceOf('monthly', undefined)
    let concerned = 0
    for (const row of await repriceable(deps)) {
      const look = await syncSubscription(deps, row.stripe_subscription_id ?? '', undefined)
      const amount = look?.subscription.amount
      if (!look || amount === null || amount === undefined || !mayFollow(look.subscription, price)) continue
      concerned += 1
      const planned = verb === 'announce' && (await planPrice(deps, row, price, look))
      const what = verb === 'list' ? '' : planned ? '  planned' : '  planned before'
      console.log(`${row.id}  ${formatMoney(amount)} → ${formatMoney(price.amount)}${what}`)
    }
    console.log(`${concerned} running subscriptions do not cost ${formatMoney(price.amount)}.`)
  } else {
    console.error('list | announce')
    process.exitCode = 2
  }
} finally {
  await service.stop()
}
