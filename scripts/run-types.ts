/** `npm run types`: checks every program against its own tsconfig, in parallel. Exits with 1 when one fails. */
import { Command } from 'commander'
import { runStep, typeSteps } from './steps.ts'

new Command('npm run types')
  .description('Checks every program against its own tsconfig, in parallel.')
  .showHelpAfterError()
  .parse()

const results = await Promise.all(typeSteps().map(runStep))
for (const { name, ok, output } of results) console.log(`${ok ? 'ok    ' : 'FAILED'} ${name}${ok ? '' : `\n${output}`}`)
if (results.some(({ ok }) => !ok)) process.exitCode = 1
