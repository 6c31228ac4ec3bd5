/** `npm run rehearse`: a production on this machine, as a table of pass and fail; options: tests/rehearsal/main.ts. */
import { missingBalancers } from '../tests/support/haproxy.ts'
import { installFromDistribution } from './distribution.ts'

installFromDistribution(missingBalancers())
await import('../tests/rehearsal/main.ts')
