import { defineConfig } from 'vitest/config'

/** Only the rules' own tests: judging a mutant starts no database, no service and no browser. */
export default defineConfig({
  test: {
    include: (process.env['MUTANT_TESTS'] ?? '').split(' '),
    // a busy machine is no mutant
    testTimeout: 60_000,
  },
})
