import { bootstrap } from './bootstrap.mjs'

await bootstrap('run-build.ts')
