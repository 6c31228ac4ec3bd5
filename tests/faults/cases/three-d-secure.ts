import { Buyer } from '../buyer.ts'
import { type Case, inWorld } from '../case.ts'
import { settled } from '../invariants.ts'
import { inTurns, pause } from '../random.ts'
import type { World } from '../world.ts'

const CARD = 'pm_card_authenticationRequired'

async function granted(world: World, { sessionId }: Buyer): Promise<number> {
  return (await world.db.selectFrom('product_access_grants').select('id').where('session_id', '=', sessionId).execute())
    .length
}

/** Intents at Stripe with which this session could still be charged for its first payment. */
async function liveIntents(world: World, { sessionId }: Buyer): Promise<number> {
  const { data } = await world.control('GET', 'objects?kind=payment_intent&limit=1000000')
  return data.filter(
    (one: { status: string; metadata: Record<string, string> }) =>
      one.metadata['session_id'] === sessionId && one.status.startsWith('requires_'),
  ).length
}

/** What a buyer does in front of the 3-D Secure dialog. */
const ENDINGS = ['abandoned', 'declined', 'completed late', 'declined by the bank afterwards'] as const

async function walk(world: World, buyer: Buyer, ending: (typeof ENDINGS)[number]): Promise<string[]> {
  const wrong: string[] = []
  const say = (text: string) => wrong.push(`${ending}: ${text}`)
  await buyer.arrive()
  const opened = await buyer.open('trial_5')
  if (!opened) return ['paid before it began']
  const card = ending === 'declined by the bank afterwards' ? 'pm_card_threeDSecureRequiredChargeDeclined' : CARD
  const status = await buyer.confirm(opened, 'card', card)
  if (status !== 'requires_action') say(`3-D Secure was not asked for: ${status}`)
  const early = await buyer.once('POST', buyer.path('/payments/finalize'), { paymentIntentId: opened.paymentIntentId })
  if (early.status === 200) say('settled before the bank said yes')
  if (ending === 'declined') await buyer.authenticate(opened, 'fail')
  if (ending === 'declined by the bank afterwards') await buyer.authenticate(opened, 'complete')
  await pause(500)
  if ((await granted(world, buyer)) > 0) say('a grant unpaid')
  if (ending === 'completed late') {
    // the tab is closed; the bank's app confirms minutes later
    await buyer.authenticate(opened, 'complete')
    return wrong
  }
  const again = await buyer.open('trial_5')
  // one that still waits for the bank's check of a card is given up: its approval would pay beside the retry
  const same = again?.paymentIntentId === opened.paymentIntentId
  if (same === (ending === 'abandoned'))
    say(same ? 'the abandoned intent for the retry' : 'another intent for the retry')
  if ((await liveIntents(world, buyer)) !== 1) say(`${await liveIntents(world, buyer)} live intents`)
  if (!again) return wrong
  const retried = await buyer.confirm(again)
  if (retried !== 'succeeded') say(`the retry was refused: ${retried}`)
  else await buyer.finalize(again.paymentIntentId)
  return wrong
}

export const threeDSecure: Case = {
  name: '3-d-secure',
  title: 'P-02 P-04 3-D Secure abandoned, declined, completed late: no grant unpaid, one live intent, the retry works',
  run: (context) =>
    inWorld(context, {}, async (world) => {
      const repeats = context.count(10, 1)
      const walks = ENDINGS.flatMap((ending) =>
        Array.from({ length: repeats }, () => ({ ending, buyer: new Buyer(world, context.random) })),
      )
      const results = await inTurns(
        walks.map(
          ({ ending, buyer }) =>
            () =>
              walk(world, buyer, ending).catch((error: unknown) => [`${ending}: ${String(error)}`]),
        ),
        8,
      )
      const buyers = walks.map(({ buyer }) => buyer)
      const { violations, milliseconds } = await settled(world, buyers)
      return { runs: walks.length, violations: [...results.flat(), ...violations], slowest: milliseconds }
    }),
}
