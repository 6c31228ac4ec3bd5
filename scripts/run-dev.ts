/**
 * `npm run dev`: like `npm start`, but the site comes from Astro's dev server and the service restarts when its code
 * changes.
 */
import { portsCommand } from './settings.ts'
import { runStack } from './stack.ts'

const command = portsCommand('npm run dev --', 'Like npm start, and shows each change of code and content at once.')
await runStack({ mode: 'dev', command: command.parse() })
