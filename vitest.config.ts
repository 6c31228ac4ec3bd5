import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/**
 * Rules beside their code, the service over HTTP in tests/service. Journeys are Playwright's (playwright.config.ts).
 */
export default defineConfig({
  test: {
    include: [
      '{contract,db,scripts,src,payments-service,stand-ins,studio}/**/*.test.{ts,tsx}',
      'tests/{service,support,site,bench,faults}/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**', '.data/**'],
    globalSetup: ['tests/support/vitest.setup.ts'],
    // most of a file's time is waiting for a service, a worker or a clock
    maxWorkers: availableParallelism() + 1,
    // no measure of speed: a busy machine gets the time it needs, and what is broken still ends
    testTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 180_000,
  },
})
