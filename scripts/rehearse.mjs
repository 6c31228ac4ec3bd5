import { bootstrap } from './bootstrap.mjs'

await bootstrap('run-rehearse.ts')
