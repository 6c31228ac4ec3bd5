/**
 * `npm run previous [-- <commit or tag>] [-- <test files>]`: the release before, from the repository's history, runs
 * its own service tests on the schema of this checkout; without files, those of money and visits. Ends with their code.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runTool } from '../../scripts/processes.ts'
import { root } from '../../scripts/settings.ts'
import { checkOut, previousRelease, withNewSchema } from '../support/previous-release.ts'

const CORE = ['sessions', 'tracking', 'checkout', 'webhooks', 'upsell', 'cancellation', 'money-returns', 'mail-jobs']

const asked = process.argv.slice(2)
const files = asked.filter((one) => one.endsWith('.test.ts'))
const commit = asked.find((one) => !one.endsWith('.test.ts')) ?? previousRelease()
if (!commit) {
  console.error('There is no history to take the release before from. Name a commit: npm run previous -- <commit>')
  process.exit(2)
}
const { folder, remove } = checkOut(commit)
try {
  withNewSchema(folder)
  const core = CORE.map((name) => `tests/service/${name}.test.ts`).filter((file) => existsSync(join(folder, file)))
  console.log(`The service tests of ${commit} on the schema of this checkout …`)
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--project', 'programs', ...(files.length ? files : core)]
  const { ok, output } = await runTool(args, { cwd: folder })
  console.log(output)
  process.exitCode = ok ? 0 : 1
} finally {
  remove()
}
