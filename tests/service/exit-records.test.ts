/** The page /exit: what it refuses, how often it may be asked, what is kept, what an outage of the workers changes. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eraseVisitor } from '../../payments-service/privacy/erase.ts'
import { EXIT_MONTHS, forgetOldExits } from '../../payments-service/privacy/exits.ts'
import { exportVisitor } from '../../payments-service/privacy/export.ts'
import { statement } from './exits.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { signedOperator } from './operators.ts'
import { Browser, eventually } from './service.ts'

const PROXY = { LIMIT_FACTOR: '1', TRUST_PROXY: 'loopback' }
let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel({ env: PROXY })))
afterAll(() => funnel.stop())

let network = 0
/** Each statement from a network of its own, unless one is named. */
function leave(email: string, more: Record<string, unknown> = {}, from = `203.0.113.${++network}`) {
  const browser = new Browser(funnel.url)
  browser.headers = { ...browser.headers, 'x-forwarded-for': from }
  return browser.post('/api/exit', statement(email, more))
}
const rowsOf = (email: string) =>
  funnel.db.selectFrom('exit_requests').selectAll().where('email', '=', email).orderBy('id').execute()
const traces = async (text: string) => {
  const { rows } = await sql<{ found: string }>`
    select (select count(*) from exit_requests x where to_jsonb(x)::text ilike ${`%${text}%`})
      + (select count(*) from outbox o where to_jsonb(o)::text ilike ${`%${text}%`})
      + (select count(*) from mail_log m where to_jsonb(m)::text ilike ${`%${text}%`}) as found`.execute(funnel.db)
  return Number(rows[0]?.found)
}

describe('bad input', () => {
  test.each([
    ['no name', { name: '' }, 'name'],
    ['a name of blanks', { name: '   ' }, 'name'],
    ['a very long name', { name: 'ж'.repeat(201) }, 'name'],
    ['no address', { email: 'ada' }, 'email'],
    ['an unknown wish', { kind: 'pause' }, 'kind'],
    ['an unknown contract', { contract: 'gym' }, 'contract'],
    ['a very long reason', { reason: 'x'.repeat(2_001) }, 'reason'],
  ])('H-04 %s is refused, and the error names the field', async (_what, more, field) => {
    const { status, body } = await leave('refused@example.com', more)
    expect([status, body.error]).toEqual([422, expect.objectContaining({ code: 'invalid_body', field })])
    expect(await rowsOf('refused@example.com')).toEqual([])
  })

  test.each(['José Núñez', 'Ада Лавлейс', '愛 洛芙萊斯', 'آدا لوفليس', 'ж'.repeat(200)])(
    'H-04 the name %s is received as it was typed',
    async (name) => {
      const email = `name-${crypto.randomUUID()}@example.com`
      expect((await leave(email, { name: ` ${name} ` })).status).toBe(200)
      expect(await rowsOf(email)).toMatchObject([{ name }])
    },
  )
})

describe('limits', () => {
  test('H-04 whoever asks for one address again and again is refused; its owner elsewhere is not', async () => {
    const email = 'flooded@example.com'
    const answers: number[] = []
    for (let n = 0; n < 11; n++) answers.push((await leave(email, {}, '198.51.100.7')).status)
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 200), 429])
    expect((await leave('somebody-else@example.com', {}, '198.51.100.7')).status).toBe(200)
    expect((await leave(email, {}, '198.51.100.8')).status).toBe(200)
    await eventually(
      () => rowsOf(email),
      (rows) => rows.length === 11 && rows.every(({ outcome }) => outcome === 'nothing'),
    )
    // the mailbox gets a few mails a day; all statements are kept
    const { rows } = await sql`select 1 from outbox where kind = 'mail:exit_received'
      and payload -> 'mail' ->> 'to' = ${email}`.execute(funnel.db)
    expect(rows).toHaveLength(5)
  })
})

describe('records', () => {
  test('D-12 an export holds what was stated; an erasure empties it and its mail; operators see it', async () => {
    const buyer = await funnel.buyer('kept-track@example.com')
    await buyer.pay()
    await leave('kept-track@example.com', { name: 'Zelda Quux', reason: 'No time' })
    await eventually(
      () => rowsOf('kept-track@example.com'),
      ([row]) => row?.outcome === 'ended',
    )
    const { browser } = await signedOperator(funnel)
    for (const path of ['/operator/exits', `/operator/sessions/${buyer.sessionId}`]) {
      const { body } = await browser.get(path)
      for (const words of ['Zelda Quux', 'No time', 'ended']) expect(body, path).toContain(words)
    }
    const chosen = { who: buyer.sessionId, visits: [buyer.sessionId] }
    const found = await exportVisitor(funnel.db, chosen)
    expect(found['exit_requests']).toMatchObject([{ name: 'Zelda Quux', kind: 'end', outcome: 'ended' }])
    await funnel.control('POST', 'clock', { advance: 40 * 86_400 })
    await eventually(
      () =>
        funnel.db
          .selectFrom('subscriptions')
          .select('status')
          .where('session_id', '=', buyer.sessionId)
          .executeTakeFirstOrThrow(),
      ({ status }) => status === 'canceled',
    )
    await eraseVisitor(funnel.db, chosen)
    expect([await traces('Zelda Quux'), await traces('No time'), await traces('kept-track')]).toEqual([0, 0, 0])
    const rows = await funnel.db.selectFrom('exit_requests').selectAll().where('email', '=', 'erased').execute()
    expect(rows).toMatchObject([{ kind: 'end', session_ids: [buyer.sessionId] }])
  })

  test('D-12 a statement and its mail are deleted when their time is over, also where nobody ever bought', async () => {
    const [old, young] = ['long-gone@example.com', 'still-kept@example.com']
    for (const email of [old, young]) {
      await leave(email)
      await eventually(
        () => rowsOf(email),
        ([row]) => row?.outcome === 'nothing',
      )
    }
    const age = (email: string, months: number) =>
      sql`update exit_requests set received_at = now() - make_interval(months => ${months}, days => 1)
        where email = ${email}`.execute(funnel.db)
    await age(old, EXIT_MONTHS)
    await age(young, EXIT_MONTHS - 1)
    expect(await forgetOldExits(funnel.db)).toBe(1)
    expect(await traces('long-gone')).toBe(0)
    expect(await rowsOf(young)).toHaveLength(1)
  })
})

test('H-04 sent while the first payment is under way: what it starts ends with what is paid', async () => {
  const email = 'paying-now@example.com'
  const buyer = await funnel.buyer(email)
  const opened = await buyer.open()
  expect((await leave(email)).status).toBe(200)
  expect((await funnel.confirm(opened.body)).status).toBe(200)
  await buyer.finalize(opened.body.paymentIntentId)
  await eventually(
    () => rowsOf(email),
    ([row]) => row?.outcome === 'ended',
  )
  await funnel.control('POST', 'clock', { advance: 40 * 86_400 })
  const charged = async () => {
    const { data } = await funnel.control('GET', 'objects?kind=subscription&limit=1000')
    const own = (data as { metadata: Record<string, string>; status: string }[]).filter(
      ({ metadata }) => metadata['session_id'] === buyer.sessionId,
    )
    return own.map(({ status }) => status)
  }
  await eventually(charged, (all) => all.join() === 'canceled')
})

test('H-04 the workers are down for days: a statement received meanwhile counts from its own time', async () => {
  const still = await startFunnel({ background: false })
  try {
    const buyer = await still.buyer('outage@example.com')
    await buyer.pay()
    const browser = new Browser(still.url)
    const { status, body } = await browser.post('/api/exit', statement('outage@example.com'))
    expect(status).toBe(200)
    // the trial ends and the month is charged while no worker runs
    await still.control('POST', 'clock', { advance: 3 * 86_400 + 3_900 })
    still.service.startWorkers()
    const charges = async () => {
      const { data } = await still.control('GET', 'objects?kind=charge&limit=100')
      return (data as { amount: number; amount_refunded: number }[]).map((one) => [one.amount, one.amount_refunded])
    }
    const settled = await eventually(charges, (all) => all.some(([amount, back]) => amount === 3900 && back === 3900))
    expect(settled).toContainEqual([100, 0])
    const row = await still.db.selectFrom('subscriptions').selectAll().executeTakeFirstOrThrow()
    expect(row.cancel_requested_at?.toISOString()).toBe(body.receivedAt)
  } finally {
    await still.stop()
  }
})

test('H-04 the workers are down for hours: what is ordered after a statement is not ended by it', async () => {
  const still = await startFunnel({ background: false })
  try {
    const email = 'again-meanwhile@example.com'
    expect((await new Browser(still.url).post('/api/exit', statement(email))).status).toBe(200)
    // the bank's time is in whole seconds
    await new Promise((resume) => setTimeout(resume, 1_100))
    const buyer = await still.buyer(email)
    await buyer.pay()
    still.service.startWorkers()
    const outcome = async () => {
      const row = await still.db.selectFrom('exit_requests').selectAll().executeTakeFirstOrThrow()
      return row.outcome
    }
    await eventually(outcome, (one) => one !== null)
    const row = await still.db.selectFrom('subscriptions').selectAll().executeTakeFirstOrThrow()
    expect([await outcome(), row.cancel_requested_at]).toEqual(['nothing', null])
  } finally {
    await still.stop()
  }
})
