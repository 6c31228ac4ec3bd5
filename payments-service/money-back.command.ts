/**
 * Decides money-back requests from the command line, as an operator can do on a page: `npm run money-back` lists those
 * that wait, `npm run money-back -- approve <id>`, `… decline <id> "One sentence."`
 */
import { readConfig } from './config.ts'
import { createLog } from './http/logging.ts'
import { createService } from './service.ts'
import { decideMoneyBack, listMoneyBackRequests } from './money-back/decide.ts'

const [verb = 'list', id = '', reason = ''] = process.argv.slice(2)
const config = readConfig(process.env)
const service = createService(config, createLog('error'))
try {
  if (verb === 'list') {
    const cases = await listMoneyBackRequests(service.deps)
    for (const one of cases) {
      const amount = `$${(one.amount_cents / 100).toFixed(2)}`
      console.log(
        `${one.id}  ${one.status.padEnd(9)} ${one.kind.padEnd(10)} ${amount.padStart(8)}  ` +
          `${one.listened_sessions} sessions  ${one.requested_at.toISOString().slice(0, 16)}  ` +
          `${one.email ?? '(no address)'}`,
      )
    }
    if (cases.length === 0) console.log('No requests.')
  } else if (verb === 'approve' || verb === 'decline') {
    const decision =
      verb === 'approve' ? ({ decision: 'approve' } as const) : ({ decision: 'decline', reason } as const)
    const decided = await decideMoneyBack(service.deps, id, decision, process.env['USER'] ?? 'operator')
    console.log(
      decided ? 'Decided. The service does the rest and writes to the buyer.' : 'There is no such open request.',
    )
    process.exitCode = decided ? 0 : 1
  } else {
    console.error('list | approve <id> | decline <id> "One sentence for the buyer."')
    process.exitCode = 2
  }
} finally {
  await service.stop()
}
