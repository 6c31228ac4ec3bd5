import { bootstrap } from './bootstrap.mjs'

await bootstrap('run-faults.ts')
