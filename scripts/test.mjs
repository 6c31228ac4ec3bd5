import { bootstrap } from './bootstrap.mjs'

await bootstrap('run-test.ts')
