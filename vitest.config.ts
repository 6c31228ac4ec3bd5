import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const project = (name: string, include: string[], isolate: boolean) =>
  ({ extends: true, test: { name, include, isolate } }) as const

/**
 * Rules beside their code, the service over HTTP in tests/service. Journeys are Playwright's (playwright.config.ts).
 */
export default defineConfig({
  test: {
    exclude: ['**/node_modules/**', '**/dist/**', '.data/**'],
    globalSetup: ['tests/support/vitest.setup.ts'],
    // Three quarters of a file's time is waiting for a service, a worker or a clock. With more at once, requests on a
    // slow machine meet the limits that are made for buyers.
    maxWorkers: Math.min(availableParallelism() * 3, 12),
    // no measure of speed: a busy machine gets the time it needs, and what is broken still ends
    testTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 180_000,
    // no file rests on what another one left behind; `npm test` prints the seed, `--sequence.seed` repeats the order
    sequence: { shuffle: { files: true, tests: false } },
    projects: [
      // what runs in a browser keeps its state in modules, as a page does: each file begins with a fresh page
      project('pages', ['{src,studio}/**/*.test.{ts,tsx}'], true),
      // a worker imports the service once, not once a file: that was half of the CPU of a run
      project(
        'programs',
        [
          '{contract,db,scripts,payments-service,stand-ins}/**/*.test.{ts,tsx}',
          'tests/{service,support,faults}/**/*.test.ts',
        ],
        false,
      ),
      // looks at the files of a build
      project('built', ['tests/{site,bench}/**/*.test.ts'], true),
      // needs buildah and runc: npm run image -- --check
      project('image', ['tests/image/**/*.test.ts'], true),
    ],
  },
})
