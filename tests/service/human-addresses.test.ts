/**
 * A person who types or follows an address gets a page, whatever is behind it; a program gets its own kind of answer.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOperator } from '../../payments-service/operator/accounts.ts'
import { enrol, OPERATOR_PASSWORD } from './operators.ts'
import { Browser, type RunningService, startService } from './service.ts'

let running: RunningService
beforeAll(async () => void (running = await startService()))
afterAll(() => running.stop())

/** The headers of a browser when a person navigates. */
const PERSON = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
}

test('D-08 /operator leads a person to its sign-in, and an operator to the pages', async () => {
  const stranger = new Browser(running.url)
  for (const path of ['/operator', '/operator/']) {
    const reply = await stranger.get(path, PERSON)
    expect([path, reply.status, reply.headers.get('location')]).toEqual([path, 303, '/operator/sign-in'])
  }
  // a program learns nothing
  expect((await stranger.get('/operator')).status).toBe(404)
  await createOperator(running.db, 'human@example.com', OPERATOR_PASSWORD)
  const { browser } = await enrol(new Browser(running.url), 'human@example.com')
  expect((await browser.get('/operator', PERSON)).status).toBe(200)
})

test('N-02 every wrong address of the service shows a page to a person', async () => {
  for (const path of ['/operator/nothing', '/upsell-links', '/api/nothing', '/api/links/unknown', '/nowhere', '/']) {
    const reply = await new Browser(running.url).get(path, PERSON)
    expect([path, reply.status, reply.headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8'])
    expect(reply.body).toContain('<h1>There is nothing here</h1>')
    // with a link to go on
    expect(reply.body).toContain('<a href="/">To the start page</a>')
  }
})
