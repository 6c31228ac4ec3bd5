import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Rules beside their code, the service over HTTP in tests/service. Journeys are Playwright's (playwright.config.ts). */
export default defineConfig({
  test: {
    include: [
      '{contract,db,scripts,src,payments-service,studio}/**/*.test.{ts,tsx}',
      'tests/{service,support,site,bench,faults}/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**', '.data/**'],
    globalSetup: ['tests/support/vitest.setup.ts'],
    // most of a file's time is waiting for a service, a worker or a clock
    maxWorkers: availableParallelism() + 1,
    testTimeout: 20_000,
    // a loaded CI machine may miss a deadline once
    retry: process.env['CI'] ? 1 : 0,
    hookTimeout: 30_000,
  },
})
