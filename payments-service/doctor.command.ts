/**
 * `npm run doctor`: asks every part that the service needs, with the settings it would start with, and says what is
 * wrong and what to do. Changes nothing. Ends with 1 where buyers or money are at risk.
 */
import { Command } from 'commander'
import { configOf } from './command.ts'
import { ConfigError } from './config.ts'
import { examine } from './doctor/checks.ts'
import { createLog } from './http/logging.ts'
import { createService } from './service.ts'

new Command('npm run doctor')
  .description('Asks every part that the service needs, and says what is wrong and what to do. Changes nothing.')
  .showHelpAfterError()
  .parse()

const MARKS = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' } as const

try {
  const service = createService(configOf(process.env), createLog('silent'))
  try {
    const found = await examine(service.deps)
    for (const { level, about, text } of found) console.log(`${MARKS[level]}  ${about.padEnd(14)}  ${text}`)
    process.exitCode = found.some(({ level }) => level === 'fail') ? 1 : 0
  } finally {
    await service.stop()
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  for (const problem of error.problems) console.log(`${MARKS.fail}  ${'settings'.padEnd(14)}  ${problem}`)
  process.exitCode = 1
}
