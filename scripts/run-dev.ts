/**
 * `npm run dev`: the same, but the site comes from Astro's dev server and the service
 * starts anew when its code changes.
 */
import { runStack } from './stack.ts'

await runStack({ mode: 'dev' })
