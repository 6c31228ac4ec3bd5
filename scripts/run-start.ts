/** `npm start`: everything on one machine, one table of addresses, up until Ctrl-C. */
import { runStack } from './stack.ts'

await runStack({ mode: 'built' })
