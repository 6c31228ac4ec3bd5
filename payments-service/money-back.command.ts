/** `npm run money-back`: lists and decides money-back requests from the command line, as an operator's page does. */
import { Command, InvalidArgumentError } from 'commander'
import { formatMoney } from '../contract/money.ts'
import { UUID } from '../contract/uuid.ts'
import { whoAmI } from '../db/command.ts'
import { runWithService } from './command.ts'
import { type Decision, decideMoneyBack, listMoneyBackRequests } from './money-back/decide.ts'
import type { Service } from './service.ts'

async function list({ deps }: Service): Promise<void> {
  const cases = await listMoneyBackRequests(deps, 'open')
  for (const one of cases) {
    console.log(
      `${one.id}  ${one.status.padEnd(9)} ${one.kind.padEnd(10)} ${formatMoney(one.amount_cents).padStart(8)}  ` +
        `${one.listened_sessions} sessions  ${one.requested_at.toISOString().slice(0, 16)}  ` +
        `${one.email ?? '(no address)'}`,
    )
  }
  if (cases.length === 0) console.log('No requests.')
}

async function decide({ deps }: Service, id: string, decision: Decision): Promise<void> {
  const decided = await decideMoneyBack(deps, id, decision, whoAmI())
  console.log(
    decided ? 'Decided. The service does the rest and writes to the buyer.' : 'There is no such open request.',
  )
  process.exitCode = decided ? 0 : 1
}

function anId(text: string): string {
  if (UUID.test(text)) return text
  throw new InvalidArgumentError('The list names each request by its id.')
}

function aSentence(text: string): string {
  if (text.trim()) return text
  throw new InvalidArgumentError('The buyer reads why.')
}

const program = new Command('npm run money-back --').description('Money-back requests.').showHelpAfterError()
program
  .command('list', { isDefault: true })
  .description('those that wait')
  .action(() => runWithService(list))
program
  .command('approve')
  .description('gives the money back')
  .argument('<id>', 'of the request', anId)
  .action((id: string) => runWithService((service) => decide(service, id, { decision: 'approve' })))
program
  .command('decline')
  .description('gives no money back')
  .argument('<id>', 'of the request', anId)
  .argument('<sentence>', 'one sentence for the buyer', aSentence)
  .action((id: string, reason: string) =>
    runWithService((service) => decide(service, id, { decision: 'decline', reason })),
  )
await program.parseAsync()
