/** `npm start`: everything on one machine, one table of addresses, up until Ctrl-C. */
import { portsCommand } from './settings.ts'
import { runStack } from './stack.ts'

const command = portsCommand(
  'npm start --',
  'Runs everything on this machine, on embedded defaults or what .env names.',
)
await runStack({ mode: 'built', command: command.parse() })
