/** Q-10 N-02: PostgreSQL's text cannot hold NUL: it is refused or removed everywhere, never a server error. */
import { expect, onTestFinished, test } from 'vitest'
import { bodyWith, type Document, endpointsOf, placesOf } from '../attack/schema.ts'
import { Browser, startService } from './service.ts'

test('Q-10 N-02 a NUL in any text of any endpoint is no server error', async () => {
  const running = await startService()
  onTestFinished(() => running.stop())
  const endpoints = endpointsOf((await new Browser(running.url).get('/api/openapi.json')).body as Document)
  const found: string[] = []
  let sent = 0
  for (const endpoint of endpoints) {
    const { body: schema, method, name, path } = endpoint
    if (!schema) continue
    const visitor = new Browser(running.url)
    const sessionId = await visitor.visit()
    const address = path.replace('{sessionId}', sessionId).replace(/\{\w+\}/g, 'cancel')
    for (const place of placesOf(schema).filter((one) => one.schema.type === 'string')) {
      for (const text of ['\0', 'a\0b', 'a\ud800b']) {
        const body = bodyWith(schema, place, text) as Record<string, unknown>
        const mine = JSON.stringify('sessionId' in body ? { ...body, sessionId } : body)
        const { status } = await (method === 'PUT' ? visitor.put(address, mine) : visitor.post(address, mine))
        sent += 1
        if (status >= 500) found.push(`${name} ${place.path.join('.')} ${JSON.stringify(text)}: ${status}`)
      }
    }
  }
  expect(found).toEqual([])
  expect(sent).toBeGreaterThan(100)
})
