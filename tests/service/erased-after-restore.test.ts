/** D-12: whoever was erased after a backup is erased again when it is restored, before anybody can write to them. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readErased } from '../../db/backup/erased-list.ts'
import { recover } from '../../db/backup/recover.ts'
import type { Database } from '../../db/connect.ts'
import { eraseVisitor } from '../../payments-service/privacy/erase.ts'
import { type Cluster, command, follow, makeClusters } from '../support/cluster.ts'
import { traces } from '../support/traces.ts'
import { type Buyer, type Funnel, startFunnel } from './funnel.ts'
import { startSending } from './mails.ts'
import { twice } from './membership.ts'
import { eventually, startService } from './service.ts'

const clusters = makeClusters()
const backups = clusters.path('backups')
let cluster: Cluster
let funnel: Funnel
beforeAll(async () => {
  cluster = await clusters.start({ migrated: true })
  funnel = await startFunnel({ databaseUrl: cluster.url })
})
afterAll(async () => {
  await funnel.stop()
  await clusters.end()
})

const until = (following: ReturnType<typeof follow>, text: string) =>
  eventually(
    () => Promise.resolve(following.said()),
    (said) => said.includes(text),
  )

/** Ends the subscription, as Stripe's dashboard does: nobody with a live one is erased. */
async function leaves(db: Database, { sessionId }: Buyer): Promise<void> {
  const row = () =>
    db.selectFrom('subscriptions').selectAll().where('session_id', '=', sessionId).executeTakeFirstOrThrow()
  const { stripe_subscription_id } = await eventually(row, (one) => one.stripe_subscription_id !== null)
  await funnel.dashboard('DELETE', `/v1/subscriptions/${stripe_subscription_id}`)
  await eventually(row, ({ status }) => status === 'canceled')
}

async function buys(name: string, product: Parameters<Buyer['pay']>[0]): Promise<Buyer> {
  const buyer = await funnel.buyer(`${name}@example.com`)
  await buyer.pay(product)
  return buyer
}

test('D-12 P-10 an older backup brings back nobody who was erased since, and sends them nothing', async () => {
  const { db } = funnel.service
  const bought = await buys('bought', 'trial_5')
  const answers = [{ questionId: 'symptoms', answer: 'canary-answer', answeredAt: new Date().toISOString() }]
  expect((await bought.browser.post(bought.path('/answers'), { answers })).status).toBe(200)
  const proved = await buys('proved', 'trial_1')
  expect((await proved.browser.post(proved.path('/account'), twice)).status).toBe(200)
  await sql`update sessions set email_proved_at = now() where id = ${proved.sessionId}`.execute(db)
  const looked = await funnel.buyer('looked@example.com')
  await buys('stays', 'trial_9')

  const following = follow(cluster.url, backups)
  await until(following, 'as its server read it')
  // not in the backup
  const later = await buys('later', 'trial_1767')
  const monthly = await buys('monthly', 'monthly')
  for (const buyer of [bought, proved, later, monthly]) await leaves(db, buyer)
  for (const { sessionId } of [bought, looked, later, monthly])
    await eraseVisitor(db, { who: sessionId, visits: [sessionId] })
  await eraseVisitor(db, { who: 'proved@example.com', visits: [proved.sessionId] })
  await eventually(
    () => readErased(backups),
    (list) => list.length === 5,
  )
  expect((await readErased(backups)).filter(({ address }) => address)).toMatchObject([{ visit: proved.sessionId }])
  expect(await following.stop()).toBe(0)
  // where no log can be received, a command notes the same
  expect(await command('backup', cluster.url, clusters.path('host'), '--erased')).toMatchObject({ code: 0 })
  expect(await readErased(clusters.path('host'))).toHaveLength(5)
  const before = await funnel.totals()
  await funnel.service.stop()
  await cluster.destroy()
  rmSync(join(backups, 'wal'), { recursive: true })

  const place = clusters.path('restored')
  expect(await command('restore', cluster.url, backups, '--to', place)).toMatchObject({ code: 0 })
  const restored = await clusters.adopt(await recover({ dataDir: place, password: 'of-a-test' }))
  const now = await startService({ databaseUrl: restored.url, env: { STRIPE_API_BASE: funnel.stripeUrl } })
  try {
    const back = now.service.db
    expect(await traces(back, 'bought@example.com')).toContain('sessions')
    // a service that comes up early neither serves nor sends
    expect(await (await fetch(`${now.url}/readyz`)).json()).toMatchObject({ ready: false, reasons: ['read_only'] })
    const finished = await command('restore', restored.url, backups, '--finish')
    expect(finished).toEqual({
      code: 0,
      text: expect.stringContaining('Erased again: 3; erased and not in the backup: 2'),
    })
    expect((await command('restore', restored.url, backups, '--finish')).text).toContain('Erased again: 0')

    const sending = await startSending(now.service)
    now.service.startWorkers()
    await eventually(
      () => back.selectFrom('payments').select('session_id').execute(),
      (paid) => [later, monthly].every(({ sessionId }) => paid.some(({ session_id }) => session_id === sessionId)),
    )
    for (const name of ['bought', 'proved', 'looked', 'later', 'monthly']) {
      const address = `${name}@example.com`
      // an event names its buyer until it is worked through
      await eventually(
        () => traces(back, address),
        (found) => found.length === 0,
      )
      expect([name, await sending.to(address)]).toEqual([name, []])
    }
    expect(await traces(back, 'canary-answer')).toEqual([])
    expect((await sending.to('stays@example.com')).map(({ kind }) => kind)).toContain('order_confirmation')
    await sending.stop()

    // what was paid before the erasure was in order: it is in the books, and stays paid
    const payments = await back.selectFrom('payments').select(['session_id', 'refunded_cents']).execute()
    expect(payments.map(({ session_id }) => session_id)).toEqual(
      expect.arrayContaining([bought, proved, later, monthly].map(({ sessionId }) => sessionId)),
    )
    expect(await funnel.totals()).toMatchObject({
      charges_succeeded: before.charges_succeeded,
      refunded: 0,
      subscriptions: before.subscriptions,
      live_subscriptions: before.live_subscriptions,
    })
    expect(await back.selectFrom('charges_without_visit').selectAll().execute()).toEqual([])
    const states = await back.selectFrom('subscriptions').select('status').orderBy('status').execute()
    expect(states.map(({ status }) => status)).toEqual(['canceled', 'canceled', 'trialing'])
  } finally {
    await now.stop()
  }
})
