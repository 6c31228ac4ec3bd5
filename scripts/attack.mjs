import { bootstrap } from './bootstrap.mjs'

await bootstrap('run-attack.ts')
