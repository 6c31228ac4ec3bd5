import { bootstrap } from './bootstrap.mjs'

await bootstrap('run-types.ts')
