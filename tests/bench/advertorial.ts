/**
 * How soon a reader sees an article (V-01): the largest contentful paint on a slow phone, with and without the page's
 * script in turn. `SITE_DIST=… node tests/bench/advertorial.ts`; exits with 1 when the script costs over a tenth.
 */
import type { AddressInfo } from 'node:net'
import { chromium } from '@playwright/test'
import { createFrontDoor } from '../../src/site/local-server.ts'
import { findChromium } from '../support/chromium.ts'
import { siteDist } from '../support/stack.ts'
import { finish, judge, median, note } from './table.ts'

const LIMIT = 1.1
const ROUNDS = 9

const door = createFrontDoor({ apiUrl: 'http://127.0.0.1:9', dist: siteDist() }).listen(0, '127.0.0.1')
await new Promise((listening) => door.once('listening', listening))
const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}/women-over60`
const executablePath = findChromium()
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: ['--disable-quic', '--disable-background-networking', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
})

/** Milliseconds to the largest contentful paint: 4× slower processor, 1.6 Mbit/s, 150 ms round trips. */
async function paint(script: boolean): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 90_000,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  // measuring needs scripts: only the page's own are blocked, through its policy
  if (!script) {
    await page.route(url, async (route) => {
      const answer = await route.fetch()
      const headers = { ...answer.headers(), 'content-security-policy': "script-src 'none'" }
      await route.fulfill({ response: answer, headers })
    })
  } else await page.route(url, async (route) => route.fulfill({ response: await route.fetch() }))
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForTimeout(700)
  const time = await page.evaluate(
    () =>
      new Promise<number>((done) => {
        new PerformanceObserver((list) => done(list.getEntries().at(-1)?.startTime ?? 0)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        })
      }),
  )
  await context.close()
  return time
}

const times: { with: number[]; without: number[] } = { with: [], without: [] }
await paint(true)
for (let round = 0; round < ROUNDS; round++) {
  times.with.push(await paint(true))
  times.without.push(await paint(false))
}
await browser.close()
door.close()
door.closeAllConnections()
const ratio = median(times.with) / median(times.without)
note(
  'largest contentful paint',
  `${median(times.with).toFixed(0)} ms with the script, ${median(times.without).toFixed(0)} ms without`,
)
judge('largest contentful paint with the script against without', ratio, LIMIT)
finish()
