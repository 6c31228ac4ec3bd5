/**
 * `npm run dev`: like `npm start`, but the site comes from Astro's dev server and the service restarts when its code
 * changes.
 */
import { runStack } from './stack.ts'

await runStack({ mode: 'dev' })
