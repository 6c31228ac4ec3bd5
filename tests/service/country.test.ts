/** D-07: the country comes only from the proxy in front of the service, in the one header that is configured. */
import { expect, test } from 'vitest'
import { startService } from './service.ts'

const everyHeader = [
  'cf-ipcountry',
  'cloudfront-viewer-country',
  'x-vercel-ip-country',
  'x-nf-country',
  'fastly-geo-country',
  'x-country-code',
]

async function countryBy(env: Record<string, string>, headers: Record<string, string>): Promise<unknown> {
  const service = await startService({ env })
  try {
    const answer = await fetch(`${service.url}/api/config`, { headers })
    return ((await answer.json()) as { country: unknown }).country
  } finally {
    await service.stop()
  }
}

test('D-07 a country comes from the configured header alone, whatever others a visitor sends', async () => {
  const forged = Object.fromEntries(everyHeader.map((name) => [name, 'DE']))
  const { 'cf-ipcountry': _own, ...others } = forged
  expect(await countryBy({ COUNTRY_HEADER: 'CF-IPCountry' }, others)).toBeNull()
  expect(await countryBy({ COUNTRY_HEADER: 'CF-IPCountry' }, { ...others, 'cf-ipcountry': 'us' })).toBe('US')
  const production = { EMBEDDED: '0', SITE_URL: 'https://example.com', TRUST_PROXY: '1', STRIPE_API_BASE: '' }
  expect(await countryBy(production, forged)).toBeNull()
})
