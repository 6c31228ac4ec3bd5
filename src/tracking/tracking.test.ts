import { expect, test } from 'vitest'
import { consentAsked } from '../../contract/consent.ts'
import { countriesWith } from '../../contract/duties/table.ts'
import { contentSecurityPolicy } from '../site/headers.ts'
import { namedParties } from './named-parties.ts'
import { parseParties } from './third-parties.ts'

const REGIONS = countriesWith('tracking_consent')

test('T-01 the policy names a third party only where the page does, and never on a payment page', () => {
  const hashes = { scripts: [], styles: [], parties: ['gtm' as const, 'pixel' as const] }
  expect(contentSecurityPolicy('public', { scripts: [], styles: [] })).not.toMatch(/google|facebook/)
  expect(contentSecurityPolicy('public', hashes)).toMatch(
    /script-src [^;]*googletagmanager\.com[^;]*connect\.facebook\.net/,
  )
  expect(contentSecurityPolicy('payment', hashes)).not.toMatch(/google|facebook/)
})

test('T-01 what is no id loads nothing', () => {
  expect(parseParties('gtm=GTM-ABC123; pixel=4711471147')).toEqual({ gtm: 'GTM-ABC123', pixel: '4711471147' })
  expect(parseParties('gtm=<script>; pixel=1;x')).toEqual({})
})

test('T-01 trackers are named where no question or session is; with TRACKING_SCOPE=all never where one pays', () => {
  const ids = { gtmId: 'GTM-ABC123', metaPixelId: '4711471147' }
  const [article, quiz, checkout] = [
    { noindex: false, pays: false },
    { noindex: true, pays: false },
    { noindex: true, pays: true },
  ]
  const named = (scope: string | undefined) => [article, quiz, checkout].map((page) => namedParties(ids, page, scope))
  const both = 'gtm=GTM-ABC123; pixel=4711471147'
  expect(parseParties(both)).toEqual({ gtm: ids.gtmId, pixel: ids.metaPixelId })
  expect(named(undefined)).toEqual([both, '', ''])
  expect(named('none')).toEqual([both, '', ''])
  expect(named('all')).toEqual([both, both, ''])
  expect(namedParties({ gtmId: null, metaPixelId: ids.metaPixelId }, article, undefined)).toBe('pixel=4711471147')
  expect(namedParties({}, article, 'all')).toBe('')
})

test('T-02 L-06 who is asked: by country, else by time zone, and whoever is nowhere', () => {
  expect(consentAsked('de', 'America/New_York', REGIONS)).toBe(true)
  expect(consentAsked('CA', 'America/New_York', REGIONS)).toBe(true)
  expect(consentAsked(null, 'America/Toronto', REGIONS)).toBe(true)
  expect(consentAsked('US', 'Europe/Berlin', REGIONS)).toBe(false)
  expect(consentAsked(null, 'Europe/Berlin', REGIONS)).toBe(true)
  expect(consentAsked(null, 'America/New_York', REGIONS)).toBe(false)
  expect(consentAsked(null, '', REGIONS)).toBe(true)
  for (const zone of ['America/Vancouver', 'America/Halifax', 'America/Regina', 'Canada/Central', 'Asia/Nicosia'])
    expect(consentAsked(null, zone, REGIONS), zone).toBe(true)
  // Australia, and what belongs to the EEA outside Europe
  for (const zone of ['Australia/Sydney', 'Africa/Ceuta', 'Arctic/Longyearbyen', 'Indian/Reunion', 'America/Cayenne'])
    expect(consentAsked(null, zone, REGIONS), zone).toBe(true)
  for (const zone of ['America/Denver', 'America/Monterrey', 'America/Anchorage', 'Asia/Tokyo'])
    expect(consentAsked(null, zone, REGIONS), zone).toBe(false)
  expect(consentAsked('DE', 'Europe/Berlin', [])).toBe(false)
  // the service is out of reach
  expect(consentAsked(null, 'Europe/Berlin', null)).toBe(true)
})
