import { bootstrap } from './bootstrap.mjs'

await bootstrap('run-dev.ts')
