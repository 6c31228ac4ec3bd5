import { defineConfig } from 'vitest/config'

/** The rules' own tests alone: what a mutant is judged by starts no database, no service and no browser. */
export default defineConfig({ test: { include: (process.env['MUTANT_TESTS'] ?? '').split(' ') } })
