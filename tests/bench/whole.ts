/**
 * Whole pages as a browser fetches them: every byte and request until nothing more comes, what moved, and the largest
 * paint, where visitors are asked for consent, where they are not, and where nobody knows. Here the pages that need no
 * service, then (screens.ts) those that do; `node tests/bench/whole.ts`.
 */
import { chromium } from '@playwright/test'
import { findChromium } from '../support/chromium.ts'
import { siteDist } from '../support/stack.ts'
import { asText, lookAt } from './look.ts'
import { judgeScreens } from './screens.ts'
import { served } from './served.ts'
import { finish, judge, note } from './table.ts'

const REGIONS = { asked: 'DE', 'not asked': 'BR', unknown: null }
const PAGES = ['/', '/quiz?step=Welcome&age=30-45', '/quiz?step=1', '/women-over60', '/legal/privacy']

const executablePath = findChromium()
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  for (const [region, country] of Object.entries(REGIONS)) {
    await served(
      siteDist(),
      async (url) => {
        for (const path of PAGES) {
          const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
          const look = await lookAt(await context.newPage(), url + path)
          const about = `${path}, ${region}`
          note(about, asText(look))
          judge(`${about}: layout shift`, look.shift, 0.02)
          if (path.startsWith('/quiz')) judge(`${about}: requests`, look.requests - look.calls, 32)
          else judge(`${about}: requests`, look.requests - look.calls, 20)
          await context.close()
        }
      },
      undefined,
      country,
    )
  }
} finally {
  await browser.close()
}
await judgeScreens()
finish()
