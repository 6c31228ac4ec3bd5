/** Listeners and live events as @sanity/client receives them, and several editors at once. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ListenEvent, MutationEvent, SanityClient } from '@sanity/client'
import { Mutation } from '@sanity/mutator'
import { STUDIO, testLake, until, type TestLake } from './fixture.ts'

let lake: TestLake
beforeAll(async () => {
  lake = await testLake()
})
afterAll(() => lake.stop())

const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach((close) => close()))

type Heard = ListenEvent<Record<string, unknown>>
async function hear(client: SanityClient, query: string, params = {}, options = {}): Promise<MutationEvent[]> {
  const events: Heard[] = []
  const subscription = client
    .listen(query, params, { events: ['welcome', 'mutation', 'reconnect'], ...options } as object)
    .subscribe((event) => events.push(event as Heard))
  closing.push(() => subscription.unsubscribe())
  await until(() => events.some((event) => event.type === 'welcome'))
  events.splice(0)
  return events as MutationEvent[]
}

/** Reads raw server-sent events until `count` named ones have come. */
async function raw(
  path: string,
  headers: Record<string, string>,
  count: number,
  meanwhile: () => Promise<unknown> = async () => {},
) {
  const stop = new AbortController()
  const answer = await fetch(`${lake.lake.url}${path}`, { headers, signal: stop.signal })
  const events: { event: string; id: string; data: Record<string, unknown> }[] = []
  if (answer.status !== 200) return { status: answer.status, events }
  const doing = meanwhile()
  let text = ''
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString()
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1] ?? ''
      if (field('event'))
        events.push({
          event: field('event'),
          id: field('id'),
          data: JSON.parse(field('data')) as Record<string, unknown>,
        })
    }
    if (events.length >= count) break
  }
  await doing
  stop.abort()
  return { status: 200, events }
}
const token = { authorization: 'Bearer token-of-the-tests' }

describe('listen', () => {
  test('appear, update, disappear, each after the other with revisions that chain', async () => {
    const events = await hear(lake.client, '*[_type == "note" && n < 3]', {}, { includePreviousRevision: true })
    await lake.client.create({ _id: 'note', _type: 'note', n: 1 })
    await lake.client.patch('note').set({ n: 2 }).commit()
    await lake.client.patch('note').set({ n: 3 }).commit()
    await lake.client.delete('note')
    await until(() => events.length === 3)
    expect(events.map((event) => event.transition)).toEqual(['appear', 'update', 'disappear'])
    expect(events.map((event) => event.result?.n)).toEqual([1, 2, 3])
    for (const [i, event] of events.entries()) {
      expect(event).toMatchObject({
        documentId: 'note',
        transactionTotalEvents: 1,
        transactionCurrentEvent: 1,
        resultRev: event.transactionId,
      })
      expect(event.mutations).toHaveLength(1)
      if (i > 0) expect(event.previousRev).toBe(events[i - 1]?.resultRev)
    }
  })
  test('two documents in one transaction: counted, with effects, without mutations when not wanted', async () => {
    const events = await hear(
      lake.client,
      '*[_type == $type]',
      { type: 'pair' },
      { effectFormat: 'mendoza', includeMutations: false, includeResult: false },
    )
    await lake.client
      .transaction()
      .create({ _id: 'p1', _type: 'pair' })
      .create({ _id: 'p2', _type: 'pair' })
      .create({ _id: 'p3', _type: 'else' })
      .commit()
    await until(() => events.length === 2)
    expect(events.map((event) => [event.transactionCurrentEvent, event.transactionTotalEvents])).toEqual([
      [1, 2],
      [2, 2],
    ])
    expect(events[0]).toMatchObject({ effects: { apply: [0, { _id: 'p1', _type: 'pair' }], revert: [0, null] } })
    expect(events[0]).not.toHaveProperty('mutations')
    expect(events[0]).not.toHaveProperty('result')
  })
  test('anybody hears of published documents alone', async () => {
    const events = await hear(lake.anybody, '*')
    await lake.client
      .transaction()
      .create({ _id: 'drafts.q', _type: 'q' })
      .create({ _id: 'programme.q', _type: 'q' })
      .create({ _id: 'q', _type: 'q' })
      .commit()
    await until(() => events.length > 0)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(events.map((event) => event.documentId)).toEqual(['q'])
    expect(events[0]?.transactionTotalEvents).toBe(1)
  })
  test('a listener that comes back gets what it missed, or is told to start over', async () => {
    const path = '/v2026-11-01/data/listen/production?query=*&enableResume=true'
    const { transactionId } = (await lake.client.mutate([{ create: { _id: 'm0', _type: 'm' } }])) as {
      transactionId: string
    }
    await lake.client.create({ _id: 'm1', _type: 'm' })
    await lake.client.create({ _id: 'm2', _type: 'm' })
    const back = await raw(path, { ...token, 'last-event-id': `${transactionId}#m0` }, 3)
    expect(back.events.map(({ event, data }) => data.documentId ?? event)).toEqual(['welcomeback', 'm1', 'm2'])
    expect((await raw(path, { ...token, 'last-event-id': 'forgotten#x' }, 1)).events[0]?.event).toBe('reset')
    expect((await raw(path, token, 1)).events[0]?.event).toBe('welcome')
  })
  test('a query that cannot be parsed is refused at once', async () => {
    expect((await raw('/v2026-11-01/data/listen/production?query=*[', token, 1)).status).toBe(400)
  })
})

describe('live events', () => {
  test('published changes are told to everybody, drafts to those who may read them', async () => {
    const path = '/vX/data/live/events/production'
    const { events } = await raw(path, {}, 2, async () => {
      await lake.client.create({ _id: 'drafts.l', _type: 'l' })
      await lake.client.create({ _id: 'l', _type: 'l' })
    })
    expect(events.map(({ event }) => event)).toEqual(['welcome', 'message'])
    expect(events[1]?.data).toEqual({ tags: ['s1:all'] })
    const drafts = await raw(`${path}?includeDrafts=true`, { origin: STUDIO }, 2, () =>
      lake.client.patch('drafts.l').set({ a: 1 }).commit(),
    )
    expect(drafts.events.map(({ event }) => event)).toEqual(['welcome', 'message'])
    expect((await raw(`${path}?includeDrafts=true`, {}, 1)).status).toBe(401)
  })
})

describe('several editors at once', () => {
  test('nothing is lost, and one who only follows the events ends with the same document', async () => {
    await lake.client.create({ _id: 'shared', _type: 'shared', n: 0, list: [], text: '' })
    let mirror = (await lake.client.getDocument('shared')) as never
    const events = await hear(lake.client, '*[_id == "shared"]')
    const editors = Array.from({ length: 8 }, async (_, editor) => {
      for (let i = 0; i < 15; i++) {
        await lake.client
          .patch('shared')
          .inc({ n: 1 })
          .append('list', [{ _key: `${editor}-${i}` }])
          .set({ [`by.e${editor}`]: i })
          .commit({ visibility: 'async' })
      }
    })
    await Promise.all(editors)
    await until(() => events.length === 120)
    for (const event of events)
      mirror = new Mutation({
        mutations: event.mutations as never,
        previousRev: event.previousRev as string,
        transactionId: event.transactionId,
        timestamp: event.timestamp,
      }).apply(mirror) as never
    const stored = await lake.client.getDocument('shared')
    expect(stored).toMatchObject({ n: 120, by: { e0: 14, e7: 14 } })
    expect(new Set((stored?.list as { _key: string }[]).map((item) => item._key)).size).toBe(120)
    expect(mirror).toEqual(stored)
  })
})
