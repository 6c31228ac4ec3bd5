import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { eventIdOf } from '../../contract/event-id.ts'
import { stableId } from '../jobs/outbox.queries.ts'
import { conversionEvent, type ConversionPerson, fbcOf, isMatchable } from './conversion-event.ts'
import type { ConversionPayload } from '../jobs/conversions.ts'
import type { ConversionName } from '../jobs/kinds.ts'

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const NAMES: ConversionName[] = ['Lead', 'InitiateCheckout', 'Purchase', 'Subscribe', 'Contact']

const person: ConversionPerson = {
  email: '  Ann.Reader@Example.COM ',
  name: 'Ánn  van der Reader-Smith',
  user_agent: 'Mozilla/5.0',
  fbc: null,
  fbp: 'fb.1.1731000000000.123',
  fbclid: 'IwAR_click',
  country: 'US',
  city: 'New York',
  created_at: new Date('2026-11-20T12:00:00Z'),
}
const payload: ConversionPayload = {
  name: 'Purchase',
  eventId: 'abc',
  at: '2026-11-20T12:00:01.900Z',
  value: 1767,
  currency: 'usd',
}

test('T-02 user data is normalised and hashed, the click id has the form of the cookie, money is in dollars', () => {
  expect(conversionEvent(payload, person, 'https://eyes.example')).toEqual({
    event_name: 'Purchase',
    event_time: 1795176001,
    event_id: 'abc',
    action_source: 'website',
    event_source_url: 'https://eyes.example/checkout',
    user_data: {
      em: [hash('ann.reader@example.com')],
      fn: [hash('ánn')],
      ln: [hash('readersmith')],
      ct: [hash('newyork')],
      country: [hash('us')],
      client_user_agent: 'Mozilla/5.0',
      fbc: 'fb.1.1795176000000.IwAR_click',
      fbp: 'fb.1.1731000000000.123',
    },
    custom_data: { value: 17.67, currency: 'USD' },
  })
})

test('T-02 N-02 canaries: whatever a session or a payload holds, only the fields of the list leave', () => {
  const canary = (name: string) => `canary-${name}`
  const sessionId = '0d5f3c1e-7777-4777-8777-123456789abc'
  // a person and a payload as a careless query might hand them over: with answers, ids, addresses, products
  const careless = {
    ...person,
    email: 'canary-email@example.com',
    name: canary('name'),
    id: sessionId,
    session_id: sessionId,
    answers: { symptoms: canary('symptoms'), eyeMedications: canary('medications') },
    eyeStrainIndex: 38.2,
    referer: `https://eyes.example/checkout/${sessionId}`,
  }
  const rich = {
    ...payload,
    sessionId,
    productId: canary('product'),
    intentId: canary('intent'),
    answers: canary('answers'),
    url: `https://eyes.example/checkout/${sessionId}`,
  }
  for (const name of NAMES) {
    const text = JSON.stringify(conversionEvent({ ...rich, name }, careless, 'https://eyes.example'))
    expect(text).not.toContain('canary')
    expect(text).not.toContain('38.2')
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/)
    expect(text).not.toContain('@')
    const event = JSON.parse(text) as Record<string, object>
    expect(Object.keys(event).sort()).toEqual([
      'action_source',
      'custom_data',
      'event_id',
      'event_name',
      'event_source_url',
      'event_time',
      'user_data',
    ])
    expect(Object.keys(event['custom_data'] ?? {})).toEqual(['value', 'currency'])
  }
})

test('T-02 a click id that is none is left out', () => {
  expect(fbcOf({ ...person, fbclid: '<script>' })).toBeUndefined()
  expect(fbcOf({ ...person, fbc: 'fb.1.1731000000000.real' })).toBe('fb.1.1731000000000.real')
})

test('T-02 a place, a browser or one name is nobody; an address, two names or an id of Meta is somebody', () => {
  const unknown = { ...person, email: null, name: null, fbp: null, fbclid: null }
  const who = (known: Partial<ConversionPerson>) => isMatchable(conversionEvent(payload, { ...unknown, ...known }, ''))
  const nowhere = { country: null, city: null, user_agent: null }
  for (const known of [{}, { city: null, user_agent: null }, nowhere, { ...nowhere, name: 'Ann' }])
    expect(who(known), JSON.stringify(known)).toBe(false)
  const { fbp, fbclid } = person
  for (const known of [{ email: 'a@example.com' }, { fbclid }, { fbp }, { name: 'Ann Reader' }])
    for (const where of [{}, nowhere]) expect(who({ ...where, ...known }), JSON.stringify(known)).toBe(true)
})

test('T-02 browser and service give an event the same id', async () => {
  expect(await eventIdOf('Purchase', 'session:trial_1')).toBe(stableId('Purchase:session:trial_1'))
})
