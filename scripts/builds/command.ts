/**
 * `npm run site:builds`, `site:rollback [-- name]`, `site:pin`, `site:unpin`: which build the site shows. SITE_LINK:
 * the link that is served, else that of `npm start`, else dist/.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { runCommand } from '../../db/command.ts'
import { root } from '../settings.ts'
import { whoAndWhere } from './journal.ts'
import { buildsShown } from './listing.ts'
import { pin, rollBack, unpin } from './live.ts'

const began = performance.now()
const took = (): string => `${Math.round(performance.now() - began)} ms`
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

/** Does one piece of work with the site that is shown, and says what came of it. */
function say(work: (link: string) => string | Promise<string>): Promise<void> {
  return runCommand(async () => {
    if (!site) throw new Error('No site is built here. Run: npm run build')
    console.log(await work(site))
  })
}

const program = new Command('npm run').description('Which build the site shows.').showHelpAfterError()
program
  .command('site:builds')
  .description('the builds, newest first')
  .action(() => say(list))
program
  .command('site:rollback')
  .usage('-- [build]')
  .description('goes back to an earlier build and stays there')
  .argument('[build]', 'its name; else the one before')
  .action((name?: string) =>
    say(async (link) => {
      const build = await rollBack(link, whoAndWhere(), name)
      const words = `${link} shows ${build} (${took()}) and stays there: publishes wait until npm run site:unpin`
      return `${words}\n\n${list(link)}`
    }),
  )
program
  .command('site:pin')
  .description('keeps the build that is shown')
  .action(() =>
    say(async (link) => `${link} stays at ${await pin(link, whoAndWhere())}: publishes wait until npm run site:unpin`),
  )
program
  .command('site:unpin')
  .description('follows publishes again')
  .action(() =>
    say(async (link) => `${link} shows ${await unpin(link, whoAndWhere())} (${took()}) and follows publishes`),
  )
await program.parseAsync()
