/**
 * P-15: what a quarter's tax returns declare, as CSV on stdout: `npm run -s tax-export -- 2026Q4 > 2026Q4.csv`. The
 * one-stop shop wants euro by the European Central Bank's rate of the last day of each period: `… -- 2026Q4
 * 2026Q4=1.0832 2026Q3=1.0741` (dollars for a euro). What has to be looked at is written to stderr.
 */
import { connect } from '../db/connect.ts'
import { namedDatabase } from '../db/named-database.ts'
import { isQuarter } from './tax/quarter.ts'
import { csvOf } from './tax/return.csv.ts'
import { returnOf } from './tax/return.ts'
import { doubtsOf, salesFor } from './tax/sales.queries.ts'

const [quarter = '', ...named] = process.argv.slice(2)
const rates = named.map((one) => one.split('='))
if (!isQuarter(quarter) || rates.some(([of = '', rate]) => !isQuarter(of) || !(Number(rate) > 0))) {
  console.error('npm run -s tax-export -- 2026Q4 [2026Q4=<dollars for a euro> …]')
  process.exit(2)
}

const { db, close } = connect(namedDatabase(process.env), { max: 2, name: 'tax-export' })
try {
  const found = returnOf(quarter, await salesFor(db, quarter))
  const euro = Object.fromEntries(rates.map(([of = '', rate]) => [of, Number(rate)]))
  process.stdout.write(csvOf(found, euro))
  const { noPlace, noProvince, contradicting, pending, foreign } = await doubtsOf(db, quarter)
  const missing = [quarter, ...found.corrections.map(({ of }) => of)].filter((of) => euro[of] === undefined)
  if (missing.length > 0) console.error(`In dollars, for want of a rate: ${[...new Set(missing)].join(', ')}.`)
  if (noPlace > 0) console.error(`${noPlace} payments name no place: no tax was taken out of them.`)
  if (noProvince > 0) console.error(`${noProvince} payments in Canada name no province: GST alone was taken out.`)
  if (contradicting > 0)
    console.error(`${contradicting} payments name several places; the bank's was taken, or two alike.`)
  if (pending > 0)
    console.error(`${pending} refunds of this quarter are with the bank: export again before you declare.`)
  if (foreign > 0)
    console.error(`${foreign} payments are in another currency than dollars and stand in no row: declare them by hand.`)
} finally {
  await close()
}
