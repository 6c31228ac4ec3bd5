/**
 * `npm run previous`: the release before, from the repository's history, runs its own service tests on the schema of
 * this checkout. Ends with their code.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { runCommand } from '../../db/command.ts'
import { runTool } from '../../scripts/processes.ts'
import { root } from '../../scripts/settings.ts'
import { checkOut, previousRelease, withNewSchema } from '../support/previous-release.ts'

const CORE = ['sessions', 'tracking', 'checkout', 'webhooks', 'upsell', 'cancellation', 'money-returns', 'mail-jobs']

const { args: asked } = new Command('npm run previous --')
  .description('The release before runs its own service tests on the schema of this checkout.')
  .argument('[what...]', 'another commit or tag, or test files (*.test.ts) instead of those of money and visits')
  .showHelpAfterError()
  .parse()
await runCommand(async () => {
  const files = asked.filter((one) => one.endsWith('.test.ts'))
  const commit = asked.find((one) => !one.endsWith('.test.ts')) ?? previousRelease()
  if (!commit) throw new Error('There is no history to take the release before from. Name a commit: --help.')
  const { folder, remove } = checkOut(commit)
  try {
    withNewSchema(folder)
    const core = CORE.map((name) => `tests/service/${name}.test.ts`).filter((file) => existsSync(join(folder, file)))
    console.log(`The service tests of ${commit} on the schema of this checkout …`)
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const args = [vitest, 'run', '--project', 'programs', ...(files.length ? files : core)]
    const { ok, output } = await runTool(args, { cwd: folder })
    console.log(output)
    if (!ok) process.exitCode = 1
  } finally {
    remove()
  }
})
