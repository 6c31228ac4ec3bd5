/** P-15: one amount on page, card, receipt and return, in every country; what goes back gives its tax back. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { product, PRODUCT_IDS } from '../../contract/catalogue.ts'
import { EU } from '../../contract/countries.ts'
import { rateAt } from '../../contract/tax/rates.ts'
import { taxIn } from '../../contract/tax/split.ts'
import { viewInvoice } from '../../payments-service/subscriptions/invoices.ts'
import { taxOf } from '../../payments-service/tax/place.ts'
import { taxInRefund } from '../../payments-service/tax/share.ts'
import { boundsOf, quarterOf } from '../../payments-service/tax/quarter.ts'
import { csvOf } from '../../payments-service/tax/return.csv.ts'
import { returnOf } from '../../payments-service/tax/return.ts'
import { salesFor, salesQuery } from '../../payments-service/tax/sales.queries.ts'
import { runTool } from '../../scripts/processes.ts'
import { explained } from '../support/explained.ts'
import { orderOf, setupOf } from '../support/order.ts'
import { type Membership, startMembership } from './membership.ts'
import { eventually } from './service.ts'

const REGISTERED = [...EU, 'GB', 'CH', 'AU', 'CA']
const COUNTRIES = [...REGISTERED, 'US']
/** With the provinces of Canada: a rate of their own, one that changed, and none beside that of the federation. */
const PLACES = [...COUNTRIES, 'CA-ON', 'CA-NS', 'CA-NL', 'CA-QC']
const FIRST = ['trial_1', 'trial_5', 'trial_9', 'trial_1767', 'special_offer'] as const

const evidenceOf = (place: string) => {
  const country = place.slice(0, 2)
  return { card: country, address: null, network: country, networkRegion: place.slice(3) }
}

let world: Membership
beforeAll(async () => void (world = await startMembership({ TAX_REGISTRATIONS: 'EU,GB,CH,AU,CA' })))
afterAll(() => world.stop())

const paymentsOf = (sessionId: string) =>
  world.db.selectFrom('payments').selectAll().where('session_id', '=', sessionId).orderBy('id').execute()
const cells = (csv: string) =>
  csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','))

test('P-15 A-05 A-06 buyers of each country pay what is shown; payment, mail, invoice name the same tax', async () => {
  for (const [index, country] of COUNTRIES.entries()) {
    const id = FIRST[index % FIRST.length] ?? 'trial_1'
    const email = `${country.toLowerCase()}@example.com`
    const card = `pm_card_${country.toLowerCase()}`
    const buyer = await world.member({ email, product: id, card, country })
    const [paid] = await paymentsOf(buyer.sessionId)
    const { price } = product(id)
    const rate = rateAt(country, new Date())
    const tax = rate === undefined ? 0 : taxIn(price, rate)
    expect(paid, country).toMatchObject({
      amount_cents: price,
      tax_country: country,
      card_country: country,
      network_country: country,
      tax_basis: rate === undefined ? 'no_rate' : 'rate',
      tax_cents: tax,
      net_cents: price - tax,
    })
    const charge = await world.dashboard('GET', `/v1/charges/${paid?.charge_id}`)
    expect(charge.amount).toBe(price)
    const share = rate === undefined ? null : { country, rate, netAmount: price - tax, taxAmount: tax }
    const { body } = await buyer.browser.get(`/api/invoices/${paid?.id}`)
    expect(body, country).toMatchObject({ amount: price, tax: share, taxRefunded: 0, taxReturned: 0 })
    const { data } = await world.mail(email, 'order_confirmation')
    expect([data.paid, data.tax ?? null]).toEqual([price, share && expect.objectContaining(share)])
  }
}, 600_000)

test('P-15 A-07 a refund in parts gives the tax back to the cent, and its mails say so', async () => {
  const email = 'parts@example.com'
  const buyer = await world.member({ email, product: 'trial_1767', card: 'pm_card_fi', country: 'FI' })
  const [paid] = await paymentsOf(buyer.sessionId)
  expect(paid?.tax_cents).toBe(359)
  for (const amount of ['333', '1000', '434']) {
    await world.dashboard('POST', '/v1/refunds', { payment_intent: paid?.payment_intent_id ?? '', amount })
  }
  await eventually(
    () => paymentsOf(buyer.sessionId),
    ([row]) => row?.refunded_cents === 1767,
  )
  const { body } = await buyer.browser.get(`/api/invoices/${paid?.id}`)
  expect(body).toMatchObject({ amount: 1767, refunded: 1767, tax: { taxAmount: 359 }, taxRefunded: 359 })
  const mails = await eventually(
    async () => (await world.mails(email)).flatMap((mail) => (mail.kind === 'refund' ? [mail.data] : [])),
    (list) => list.length === 3,
  )
  const told = mails.map(({ amount, tax }) => [amount, tax?.taxAmount ?? 0] as const)
  expect(told.map(([amount]) => amount).sort()).toEqual([1000, 333, 434])
  expect(told.reduce((sum, [, tax]) => sum + tax, 0)).toBe(359)
})

test('P-15 P-12 renewals and add-ons are taxed like the order, each by the day it was paid', async () => {
  const buyer = await world.member({ card: 'pm_card_de', country: 'DE' })
  await buyer.browser.post(buyer.path('/upsells'), orderOf('bundle'))
  await world.days(4)
  const rows = await eventually(
    () => paymentsOf(buyer.sessionId),
    (list) => list.length === 3,
  )
  const taxed = rows.map((row) => [row.amount_cents, row.tax_country, row.tax_rate, row.tax_cents])
  expect(taxed).toEqual(
    expect.arrayContaining([
      [100, 'DE', 1900, 16],
      [2499, 'DE', 1900, 399],
      [3900, 'DE', 1900, 623],
    ]),
  )
})

test('P-15 H-02 what the page calls the tax in an amount, mail and invoice call it, wherever the bank is', async () => {
  const pairs = [
    ['DE', 'us'],
    ['DE', 'fr'],
    ['GB', 'au'],
    ['AU', 'us'],
    ['US', 'de'],
    ['CA', 'us'],
  ] as const
  for (const [country, bank] of pairs) {
    const email = `${country}-${bank}@example.com`.toLowerCase()
    const buyer = await world.member({ email, product: 'trial_9', card: `pm_card_${bank}`, country })
    const { body: config } = await buyer.browser.get('/api/config', { 'x-country-code': country })
    const [paid] = await paymentsOf(buyer.sessionId)
    const { body: invoice } = await buyer.browser.get(`/api/invoices/${paid?.id}`)
    const { data } = await world.mail(email, 'order_confirmation')
    const about = `${country}, bank in ${bank}: ${config.taxIncluded}`
    expect(invoice.tax, about).toEqual(data.tax ?? null)
    expect([invoice.amount, data.paid], about).toEqual([900, 900])
    if (country === 'US') expect([config.taxIncluded, invoice.tax.name], about).toEqual([null, 'VAT'])
    else expect(config.taxIncluded.split('/'), about).toEqual(expect.arrayContaining(invoice.tax.name.split('/')))
  }
})

test('P-15 a Canadian buyer’s province is what the front door says, and GST alone where it says nothing', async () => {
  for (const [region, rate] of [['ON', 1300] as const, [undefined, 500] as const]) {
    const buyer = await world.buyer(`${region ?? 'nowhere'}@example.ca`, 'CA', region)
    await buyer.pay('trial_9', 'pm_card_ca')
    expect(await paymentsOf(buyer.sessionId)).toMatchObject([
      { tax_country: 'CA', tax_region: region ?? null, tax_rate: rate, tax_cents: taxIn(900, rate) },
    ])
  }
  const visitor = await world.buyer(undefined, 'US', 'NY')
  const kept = await world.db
    .selectFrom('session_metadata')
    .select(['country', 'region'])
    .where('session_id', '=', visitor.sessionId)
    .executeTakeFirst()
  expect(kept).toEqual({ country: 'US', region: null })
})

test('P-15 D-07 the province follows a visitor as the country does, until it is the order’s', async () => {
  const buyer = await world.buyer('moves@example.ca', 'US')
  const after = async (country: string, region = '') => {
    Object.assign(buyer.browser.headers, { 'x-country-code': country, 'x-region-code': region })
    const click = { last: { utm_source: 'holiday', utm_campaign: country + region } }
    await buyer.browser.post('/api/track', { sessionId: buyer.sessionId, events: [], attribution: click })
    return world.db
      .selectFrom('session_metadata')
      .select(['country', 'region'])
      .where('session_id', '=', buyer.sessionId)
      .executeTakeFirst()
  }
  expect(await after('CA', 'ON')).toEqual({ country: 'CA', region: 'ON' })
  expect(await after('US', 'NY')).toEqual({ country: 'US', region: null })
  expect(await after('CA', 'ON')).toEqual({ country: 'CA', region: 'ON' })
  expect(await after('CA', 'QC')).toEqual({ country: 'CA', region: 'QC' })
  expect(await after('CA')).toEqual({ country: 'CA', region: 'QC' })
  await buyer.pay('trial_9', 'pm_card_ca')
  expect(await paymentsOf(buyer.sessionId)).toMatchObject([{ tax_country: 'CA', tax_region: 'QC' }])
  expect(await after('CA', 'ON')).toEqual({ country: 'CA', region: 'QC' })
  // the release before holds back country and city alone
  await sql`select update_session_metadata(${buyer.sessionId}::uuid, '{"region": "ON"}')`.execute(world.db)
  expect(await after('CA')).toEqual({ country: 'CA', region: 'QC' })
})

test('P-15 a place that nobody knows, or one that contradicts itself, stops no payment', async () => {
  const moved = await world.member({ card: 'pm_card_at', country: 'DE' })
  expect(await paymentsOf(moved.sessionId)).toMatchObject([
    { card_country: 'AT', network_country: 'DE', tax_country: 'AT', tax_rate: 2000 },
  ])
  const setup = await world.buyer()
  const opened = await setup.browser.post(setup.path('/paypal/setup'), setupOf('trial_9'))
  await world.paypal(opened.body)
  const setupIntentId = opened.body.paymentIntentId
  const settled = await setup.browser.post(setup.path('/paypal/setup/finalize'), { setupIntentId })
  expect(settled.status).toBe(200)
  expect(await paymentsOf(setup.sessionId)).toMatchObject([{ amount_cents: 0, tax_basis: 'no_place', tax_cents: 0 }])
})

test('P-15 shown, charged, receipt and return agree for every product and country, whatever is refunded', async () => {
  const paidAt = new Date('2061-02-10T12:00:00Z')
  const [quarter, next] = ['2061Q1', '2061Q2']
  const when = [new Date('2061-03-01T00:00:00Z'), new Date('2061-05-01T00:00:00Z')] as const
  const rows = PLACES.flatMap((country) =>
    PRODUCT_IDS.map((id) => ({ country, id, amount: product(id).price, intent: `pi_${country}${id}` })),
  )
  const sessions = new Map<string, string>()
  for (const country of PLACES) {
    const { id } = await world.db.insertInto('sessions').defaultValues().returning('id').executeTakeFirstOrThrow()
    sessions.set(country, id)
  }
  const made = await world.db
    .insertInto('payments')
    .values(
      rows.map(({ country, id, amount, intent }) => ({
        session_id: sessions.get(country) ?? '',
        purpose: `upsell:${id}`,
        is_upsell: true,
        amount_cents: amount,
        payment_intent_id: intent,
        status: 'succeeded',
        product_id: id,
        settled_at: paidAt,
        ...taxOf({ amount, paidAt }, evidenceOf(country), REGISTERED),
      })),
    )
    .returning(['id', 'payment_intent_id', 'amount_cents', 'net_cents', 'tax_cents', 'tax_basis'])
    .execute()
  // up to three parts of each, some in its quarter and some in the next
  const parts = fc.array(fc.record({ share: fc.integer({ min: 0, max: 100 }), late: fc.boolean() }), {
    minLength: 3,
    maxLength: 3,
  })
  const [plan = []] = fc.sample(fc.array(parts, { minLength: rows.length, maxLength: rows.length }), 1)
  const refunds = made.flatMap((row, index) => {
    let left = row.amount_cents
    return (plan[index] ?? []).flatMap(({ share, late }, part) => {
      const amount = part === 2 && share > 60 ? left : Math.floor((left * share) / 250)
      left -= amount
      return amount === 0 ? [] : [{ row, amount, at: when[late ? 1 : 0], refund: `re_${row.id}_${part}` }]
    })
  })
  await world.db
    .insertInto('payment_facts')
    .values(
      refunds.map(({ row, amount, at, refund }) => ({
        session_id: sessions.get('DE') ?? '',
        payment_intent_id: row.payment_intent_id,
        kind: 'refunded',
        stripe_id: refund,
        amount_cents: amount,
        currency: 'usd',
        occurred_at: at,
      })),
    )
    .execute()
  const backOf = (id: string) => refunds.reduce((sum, { row, amount }) => sum + (row.id === id ? amount : 0), 0)
  const receipts = new Map<string, { left: number; tax: number }>()
  for (const row of made) {
    const back = backOf(row.id)
    await world.db.updateTable('payments').set({ refunded_cents: back }).where('id', '=', row.id).execute()
    const invoice = await viewInvoice(world.service.deps, row.id, null, undefined)
    const sold = rows.find(({ intent }) => intent === row.payment_intent_id)
    expect(invoice.amount).toBe(sold?.amount)
    expect(row.net_cents + row.tax_cents).toBe(invoice.amount)
    const { netAmount, taxAmount } = invoice.tax ?? { netAmount: invoice.amount, taxAmount: 0 }
    expect(netAmount + taxAmount).toBe(invoice.amount)
    if (back === invoice.amount) expect(invoice.taxRefunded).toBe(taxAmount)
    const known = receipts.get(sold?.country ?? '') ?? { left: 0, tax: 0 }
    const now = { left: known.left + invoice.amount - back, tax: known.tax + taxAmount - invoice.taxRefunded }
    receipts.set(sold?.country ?? '', now)
  }
  const declared = [
    returnOf(quarter ?? '', await salesFor(world.db, quarter ?? '')),
    returnOf(next ?? '', await salesFor(world.db, next ?? '')),
  ].flatMap(({ supplies, corrections }) => [...supplies, ...corrections])
  for (const country of PLACES) {
    const mine = declared.filter((row) => row.country === country)
    const tax = mine.reduce((sum, row) => sum + row.tax, 0)
    const left = mine.reduce((sum, row) => sum + row.taxable + row.tax, 0)
    expect({ left, tax }, country).toEqual(receipts.get(country))
  }
}, 600_000)

test('P-15 a quarter’s return names state, rate, amounts, corrections, in euro where its rate is given', async () => {
  const quarter = '2041Q1'
  const { id: session_id } = await world.db
    .insertInto('sessions')
    .defaultValues()
    .returning('id')
    .executeTakeFirstOrThrow()
  const sell = async (country: string, paidAt: string, purpose: string) => {
    const evidence = { card: country, address: null, network: null }
    const payment_intent_id = `pi_export${purpose}`
    await world.db
      .insertInto('payments')
      .values({
        session_id,
        purpose: `upsell:${purpose}`,
        is_upsell: true,
        amount_cents: 3900,
        payment_intent_id,
        status: 'succeeded',
        product_id: 'monthly',
        settled_at: new Date(paidAt),
        ...taxOf({ amount: 3900, paidAt: new Date(paidAt) }, evidence, REGISTERED),
      })
      .execute()
    return (kind: string, at: string, stripe_id = `re_${purpose}`) =>
      world.db
        .insertInto('payment_facts')
        .values({
          session_id,
          payment_intent_id,
          kind,
          stripe_id,
          amount_cents: 1950,
          currency: 'usd',
          occurred_at: new Date(at),
          recorded_at: new Date(at),
        })
        .execute()
  }
  await sell('GR', '2041-01-01T00:00:00Z', 'gr')
  await sell('GB', '2041-03-31T23:59:59Z', 'gb')
  await sell('US', '2041-02-01T00:00:00Z', 'us')
  await sell('FR', '2041-04-01T00:00:00Z', 'later')
  await sell('NL', '2041-02-01T00:00:00Z', 'nl')
  await world.db
    .updateTable('payments')
    .set({ currency: 'eur' })
    .where('payment_intent_id', '=', 'pi_exportnl')
    .execute()
  const earlier = await sell('FR', '2040-12-31T23:59:59Z', 'fr')
  await earlier('refunded', '2041-01-02T00:00:00Z')
  const disputed = await sell('IT', '2040-11-01T00:00:00Z', 'it')
  await disputed('dispute_lost', '2041-02-01T00:00:00Z')
  await disputed('dispute_won', '2041-02-20T00:00:00Z')
  await sell('ES', '2040-10-01T00:00:00Z', 'es')
  const owed = { session_id, payment_intent_id: 'pi_exportes', cause: 'returned', wanted_cents: 1900, back_cents: 0 }
  const before = JSON.stringify([{ cents: 2000, at: '2041-02-02T00:00:00Z', by: 'bob' }])
  const now = { status: 'settled', settled_by: 'ann', updated_at: new Date('2041-03-03T00:00:00Z') }
  await world.db
    .insertInto('owed_refunds')
    .values({ ...owed, ...now, settled_before: before })
    .execute()
  const euro = { [quarter]: 1.25, '2040Q4': 1.3 }
  const found = csvOf(returnOf(quarter, await salesFor(world.db, quarter)), euro)
  expect(found.split('\r\n')[0]).toBe(
    'scheme,part,tax_period,country,rate_type,vat_rate,taxable_amount,vat_amount,currency',
  )
  expect(cells(found)).toEqual([
    ['national', 'supplies', quarter, 'GB', 'STANDARD', '20.00', '32.50', '6.50', 'USD'],
    ['oss', 'supplies', quarter, 'EL', 'STANDARD', '24.00', '25.16', '6.04', 'EUR'],
    ['untaxed', 'supplies', quarter, 'US', 'no_rate', '0.00', '39.00', '0.00', 'USD'],
    ['oss', 'correction', '2040Q4', 'ES', '', '', '', '-5.21', 'EUR'],
    ['oss', 'correction', '2040Q4', 'FR', '', '', '', '-2.50', 'EUR'],
  ])
  const args = ['payments-service/tax-export.command.ts', quarter]
  const { ok, output } = await runTool(args, { env: { DATABASE_URL: world.databaseUrl } })
  expect([ok, output]).toEqual([
    true,
    expect.stringContaining(`oss,supplies,${quarter},EL,STANDARD,24.00,31.45,7.55,USD`),
  ])
  expect(output).toContain(`In dollars, for want of a rate: ${quarter}, 2040Q4.`)
  expect(output).toContain('1 payments are in another currency than dollars')
  expect(quarterOf(new Date(boundsOf(quarter).to.getTime() - 1))).toBe(quarter)
  expect((await runTool([args[0] ?? '', '2041'], { env: { DATABASE_URL: world.databaseUrl } })).ok).toBe(false)
})

test('P-15 what went back of a payment is looked up by its index, however many there are', async () => {
  expect(await explained(world.db, salesQuery('2041Q1').compile(world.db))).not.toContain('CTE Scan')
})

test('P-15 A-07 refunds that succeed in another order than they were made give the tax back once', async () => {
  const { id: session_id } = await world.db
    .insertInto('sessions')
    .defaultValues()
    .returning('id')
    .executeTakeFirstOrThrow()
  const paidAt = new Date('2051-01-01T00:00:00Z')
  const payment_intent_id = 'pi_order'
  await world.db
    .insertInto('payments')
    .values({
      session_id,
      purpose: 'first',
      amount_cents: 100,
      payment_intent_id,
      status: 'succeeded',
      product_id: 'trial_1',
      settled_at: paidAt,
      ...taxOf({ amount: 100, paidAt }, { card: 'DE', address: null, network: null }, REGISTERED),
    })
    .execute()
  const told: number[] = []
  for (const [stripe_id, amount_cents, day] of [
    ['re_b', 10, 3],
    ['re_a', 10, 2],
    ['re_c', 80, 4],
  ] as const) {
    const occurred_at = new Date(Date.UTC(2051, 0, day))
    await world.db
      .insertInto('payment_facts')
      .values({
        session_id,
        payment_intent_id,
        kind: 'refunded',
        stripe_id,
        amount_cents,
        currency: 'usd',
        occurred_at,
      })
      .execute()
    told.push(await taxInRefund(world.db, payment_intent_id, stripe_id))
  }
  expect(told).toEqual([2, 1, 13])
})
