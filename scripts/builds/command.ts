/**
 * `npm run site:builds`, `site:rollback [-- name]`, `site:pin`, `site:unpin`: which build the site shows. SITE_LINK:
 * the link that is served, else that of `npm start`, else dist/.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../settings.ts'
import { whoAmI } from './journal.ts'
import { buildsShown } from './listing.ts'
import { pin, rollBack, unpin } from './live.ts'

const began = performance.now()
const { positionals } = parseArgs({ allowPositionals: true })
const [verb = 'builds', name] = positionals
const site =
  process.env['SITE_LINK'] || [join(root, '.data', 'site'), join(root, 'dist')].find((one) => existsSync(one))

const SHOWN = 4

/** The builds, newest first: what is live, what was changed, and what was done with each last. */
function list(link: string): string {
  const { builds, pin: pinned } = buildsShown(link)
  const rows = builds.map(({ name: id, built, state, changed, last }) => {
    const more = changed.length - SHOWN
    const words = [...changed.slice(0, SHOWN).map((one) => one.words), ...(more > 0 ? [`and ${more} more`] : [])].join(
      ', ',
    )
    const mark = state === 'kept' ? '' : state === 'live' && pinned ? 'live, pinned' : state
    const done = last ? `${last.what} ${last.at.slice(0, 19)}Z by ${last.who}` : 'never live'
    return [id, built ? `${built.slice(0, 19)}Z` : '', mark, done, words]
  })
  const all = [['Build', 'Built', 'Now', 'Last', 'Changed'], ...rows]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n')
}

async function run(): Promise<string> {
  if (!site) throw new Error('No site is built here. Run: npm run build')
  const done = () => `${Math.round(performance.now() - began)} ms`
  switch (verb) {
    case 'builds':
      return list(site)
    case 'rollback': {
      const build = await rollBack(site, whoAmI(), name)
      const words = `${site} shows ${build} (${done()}) and stays there: publishes wait until npm run site:unpin`
      return `${words}\n\n${list(site)}`
    }
    case 'pin':
      return `${site} stays at ${await pin(site, whoAmI())}: publishes wait until npm run site:unpin`
    case 'unpin':
      return `${site} shows ${await unpin(site, whoAmI())} (${done()}) and follows publishes`
    default:
      throw new Error('Choose one of: builds, rollback [name], pin, unpin')
  }
}

try {
  console.log(await run())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
