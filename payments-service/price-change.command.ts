/**
 * H-01: after a new price of the subscription in the catalogue and `npm run stripe:setup`, new buyers pay it at once;
 * `npm run price-change` lists the running subscriptions that it concerns, `npm run price-change -- announce` has their
 * buyers told 7 to 30 days before they are charged it. Safe to repeat.
 */
import { Argument, Command } from 'commander'
import { formatMoney } from '../contract/money.ts'
import { runWithService } from './command.ts'
import { dropOtherPlans, mayFollow, openPlan, planPrice, repriceable } from './subscriptions/planned-price.ts'
import { syncSubscription } from './subscriptions/sync.ts'

const [verb] = new Command('npm run price-change --')
  .description('The running subscriptions that do not cost what the catalogue says.')
  .addArgument(
    new Argument('[what]', 'announce: their buyers are told, 7 to 30 days before they are charged the new price')
      .choices(['list', 'announce'])
      .default('list'),
  )
  .showHelpAfterError()
  .parse().processedArgs as ['list' | 'announce']
await runWithService(async ({ deps }) => {
  const price = await deps.prices.priceOf('monthly', undefined)
  const dropped = verb === 'announce' ? await dropOtherPlans(deps, price) : 0
  if (dropped > 0) console.log(`${dropped} plans of another price ended: nobody was told of them.`)
  let concerned = 0
  for (const row of await repriceable(deps)) {
    const look = await syncSubscription(deps, row.stripe_subscription_id ?? '', undefined)
    const amount = look?.subscription.amount
    if (!look || amount === null || amount === undefined) continue
    if (!look.subscription.isSingle && amount !== price.amount) {
      console.log(`${row.id}  ${formatMoney(amount)}  keeps its price: it is for more than one`)
    }
    if (!mayFollow(look.subscription, price)) continue
    concerned += 1
    const planned = verb === 'announce' && (await planPrice(deps, row, price, look))
    const plan = planned ? undefined : await openPlan(deps.db, row.id)
    const other = plan && plan.new_cents !== price.amount ? `: ${formatMoney(plan.new_cents)}` : ''
    const what = planned ? '  planned' : plan ? `  planned before${other}` : ''
    console.log(`${row.id}  ${formatMoney(amount)} → ${formatMoney(price.amount)}${what}`)
  }
  console.log(`${concerned} running subscriptions do not cost ${formatMoney(price.amount)}.`)
})
