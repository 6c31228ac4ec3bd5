import { existsSync, readFileSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** Chromium's own headless build, a package of Debian: the same engine for a third of the browser's CPU. */
const HEADLESS_SHELL = 'chromium-headless-shell'

/**
 * Finds a Chromium: PLAYWRIGHT_CHROMIUM, one installed on the machine (the headless build first), or Playwright's own;
 * else undefined.
 */
export function findChromium(): string | undefined {
  const named = process.env['PLAYWRIGHT_CHROMIUM']
  if (named) return named
  const places = [
    `/usr/bin/${HEADLESS_SHELL}`,
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

/** The distribution's package for the browser of the journeys; undefined where this machine has what it can have. */
export function missingChromium(): string | undefined {
  const found = findChromium()
  // Ubuntu has a Debian's files, but neither this package nor another Chromium than a snap
  const debian = existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
  if (debian && (!found || found === '/usr/bin/chromium')) return HEADLESS_SHELL
  return found ? undefined : 'chromium'
}
