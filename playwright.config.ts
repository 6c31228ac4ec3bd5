import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { findChromium } from './tests/support/chromium.ts'

const chromium = findChromium()
const asRoot = process.getuid?.() === 0

/** Journeys on a phone-sized screen in real Chromium; each worker runs the whole product for itself. */
export default defineConfig({
  testDir: 'tests/journeys',
  globalSetup: './tests/support/playwright.setup.ts',
  outputDir: 'test-results',
  // no measure of speed: a busy machine gets the time it needs, and what is broken still ends
  timeout: 360_000,
  expect: { timeout: 30_000 },
  // half of a journey's time is waiting: for a service, a mail, a countdown
  workers: Number(process.env['JOURNEY_WORKERS'] ?? Math.min(availableParallelism() * 2, 8)),
  fullyParallel: false,
  // editors have a stack of their own, with the Studio: beginning last it would leave the other worker idle
  projects: [
    { name: 'editors', testMatch: 'editors*.spec.ts' },
    { name: 'visitors', testIgnore: 'editors*.spec.ts' },
  ],
  // what passes only at its second try is broken: there is none, nowhere
  retries: 0,
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list'], ['json', { outputFile: 'test-results/journeys.json' }]],
  use: {
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 2,
    locale: 'en-US',
    timezoneId: 'America/New_York',
    // nothing is measured or pressed while it still moves; journeys about motion ask for it
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 40_000,
    navigationTimeout: 60_000,
    // recording costs every journey a sixth of its CPU: whoever looks for a fault asks for it (`--trace on`)
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      // Nothing but the pages under test goes over the network; a browser run by root has no sandbox to offer.
      args: ['--disable-quic', '--disable-background-networking', ...(asRoot ? ['--no-sandbox'] : [])],
    },
  },
})
