import { bootstrap } from './bootstrap.mjs'

await bootstrap('run-start.ts')
