/**
 * P-15: what a quarter's tax returns declare, as CSV on stdout: `npm run -s tax-export -- 2026Q4 > 2026Q4.csv`. The
 * one-stop shop wants euro by the European Central Bank's rate of the last day of each period: `… -- 2026Q4
 * 2026Q4=1.0832 2026Q3=1.0741` (dollars for a euro). What has to be looked at is written to stderr.
 */
import { Argument, Command, InvalidArgumentError } from 'commander'
import { runOnDatabase } from '../db/database-command.ts'
import { isQuarter } from './tax/quarter.ts'
import { csvOf } from './tax/return.csv.ts'
import { returnOf } from './tax/return.ts'
import { doubtsOf, salesFor } from './tax/sales.queries.ts'

const [quarter, euro] = new Command('npm run -s tax-export --')
  .description("What a quarter's tax returns declare, as CSV on stdout.")
  .argument('<quarter>', 'like 2026Q4', aQuarter)
  .addArgument(
    new Argument('[rates...]', 'dollars for a euro at the end of a quarter, like 2026Q4=1.0832')
      .argParser(aRate)
      .default({}, 'the return is in dollars'),
  )
  .showHelpAfterError()
  .parse().processedArgs as [string, Record<string, number>]

function aQuarter(text: string): string {
  if (isQuarter(text)) return text
  throw new InvalidArgumentError('No quarter.')
}

/** One more of the rates, by their quarters. */
function aRate(text: string, before: Record<string, number>): Record<string, number> {
  const [of = '', rate] = text.split('=')
  if (isQuarter(of) && Number(rate) > 0) return { ...before, [of]: Number(rate) }
  throw new InvalidArgumentError('No rate of a quarter.')
}

await runOnDatabase('tax-export', async (db) => {
  const found = returnOf(quarter, await salesFor(db, quarter))
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
})
