import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** Finds a Chromium: PLAYWRIGHT_CHROMIUM, one installed on the machine, or Playwright's own; else undefined. */
export function findChromium(): string | undefined {
  const named = process.env['PLAYWRIGHT_CHROMIUM']
  if (named) return named
  const places = [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome-stable',
    '/usr/bin/google-chrome',
    '/snap/bin/chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    chromium.executablePath(),
  ]
  return places.find((place) => place && existsSync(place))
}
