import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { findChromium } from './tests/support/chromium.ts'
import { ZONE } from './tests/support/zone.ts'

const chromium = findChromium()
const asRoot = process.getuid?.() === 0

const journeys = join(import.meta.dirname, 'tests/journeys')
/** The journeys whose source asks for another stack than most, by file name. */
const asking = (words: RegExp): string[] =>
  readdirSync(journeys).filter(
    (name) => name.endsWith('.spec.ts') && words.test(readFileSync(join(journeys, name), 'utf8')),
  )
const ofEditors = asking(/from '\.\.\/support\/editor\.ts'/)
const ofOthers = asking(/^test\.use\(\{ (ownStack|serviceEnv):/m)

/** Journeys on a phone-sized screen in real Chromium; each worker runs the whole product for itself. */
export default defineConfig({
  testDir: 'tests/journeys',
  globalSetup: './tests/support/playwright.setup.ts',
  outputDir: 'test-results',
  // no measure of speed: a busy machine gets the time it needs, and what is broken still ends
  timeout: 360_000,
  expect: { timeout: 60_000 },
  // half of a journey's time is waiting: for a service, a mail, a countdown
  workers: Number(process.env['JOURNEY_WORKERS'] ?? Math.min(availableParallelism() * 2, 8)),
  fullyParallel: false,
  // A worker keeps its stack from file to file and starts another where a file asks for one: ten seconds of CPU. So
  // files that share a stack follow each other, those of editors first: beginning last they would run alone.
  projects: [
    { name: 'editors', testMatch: ofEditors, workers: 2 },
    { name: 'other stacks', testMatch: ofOthers },
    { name: 'visitors', testIgnore: [...ofEditors, ...ofOthers] },
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
    timezoneId: ZONE,
    // nothing is measured or pressed while it still moves; journeys about motion ask for it
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    // recording costs every journey a sixth of its CPU: `--trace on` asks for it
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      // Nothing but the pages under test goes over the network; a browser run by root has no sandbox to offer.
      args: ['--disable-quic', '--disable-background-networking', ...(asRoot ? ['--no-sandbox'] : [])],
    },
  },
})
