import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EU } from '../../contract/countries.ts'
import { TAX_RATES, taxName } from '../../contract/tax/rates.ts'
import { taxTold } from '../../contract/tax/told.ts'
import { placeOf, taxOf } from './place.ts'

const nowhere = { card: null, address: null, network: null }
const sale = { amount: 3900, paidAt: new Date('2026-11-23T12:00:00Z') }

test('P-15 a buyer is where two facts agree, else where the bank says, else where anything says', () => {
  expect(placeOf({ card: 'DE', address: null, network: 'DE' })).toBe('DE')
  expect(placeOf({ card: 'US', address: 'FR', network: 'FR' })).toBe('FR')
  expect(placeOf({ card: 'AT', address: null, network: 'DE' })).toBe('AT')
  expect(placeOf({ card: 'AT', address: 'IT', network: 'DE' })).toBe('AT')
  expect(placeOf({ ...nowhere, network: 'SE' })).toBe('SE')
  expect(placeOf({ ...nowhere, address: 'SE' })).toBe('SE')
  expect(placeOf(nowhere)).toBeNull()
})

test('P-15 no tax is taken out where none is declared, no rate or place is known, and the payment says why', () => {
  const basis = (country: string | null, registered = ['DE', 'FR']) =>
    taxOf(sale, { ...nowhere, card: country }, registered)
  expect(basis('DE')).toMatchObject({ tax_basis: 'rate', tax_country: 'DE', tax_rate: 1900, tax_cents: 623 })
  expect(basis('MC')).toMatchObject({ tax_basis: 'rate', tax_country: 'FR', card_country: 'MC', tax_cents: 650 })
  expect(basis('GB')).toMatchObject({ tax_basis: 'unregistered', tax_country: 'GB', tax_rate: 0, tax_cents: 0 })
  expect(basis('US')).toMatchObject({ tax_basis: 'no_rate', tax_country: 'US', tax_cents: 0 })
  expect(basis(null)).toMatchObject({ tax_basis: 'no_place', tax_country: null, tax_cents: 0 })
})

test('P-15 a province comes from the address, else from the network, and only of the country that is taxed', () => {
  const canadian = { card: 'CA', address: null, network: 'CA' }
  const taxed = (evidence: object) => {
    const { tax_region: region, tax_rate: rate } = taxOf(sale, { ...canadian, ...evidence }, ['CA'])
    return [region, rate]
  }
  expect(taxed({ networkRegion: 'ON' })).toEqual(['ON', 1300])
  expect(taxed({ address: 'CA', addressRegion: 'NS', networkRegion: 'ON' })).toEqual(['NS', 1400])
  expect(taxed({ address: 'CA', addressRegion: 'Nova Scotia', networkRegion: 'ON' })).toEqual(['ON', 1300])
  expect(taxed({ networkRegion: 'QC' })).toEqual(['QC', 500])
  expect(taxed({})).toEqual([null, 500])
  expect(taxed({ address: 'CA', network: 'US', networkRegion: 'ON' })).toEqual([null, 500])
})

test('P-15 where the page says that tax is in the amount it is, wherever the bank and the address are', () => {
  const declared = ['EU', 'EU,GB', 'EU,GB,CH,AU', 'EU,CA', 'none'].map((text) =>
    text === 'none' ? [] : text.split(',').flatMap((name) => (name === 'EU' ? EU : [name])),
  )
  const country = fc.option(fc.constantFrom(...new Set(TAX_RATES.map((row) => row.country)), 'BR', 'MC', 'XX'))
  fc.assert(
    fc.property(country, country, country, fc.constantFrom(...declared), (card, address, network, registered) => {
      const told = taxTold(network, registered, sale.paidAt)
      const { tax_basis: basis, tax_country: taxed } = taxOf(sale, { card, address, network }, registered)
      if (told === null) return
      expect(basis).toBe('rate')
      expect(told.split('/')).toEqual(expect.arrayContaining(taxName(taxed ?? '').split('/')))
    }),
  )
  expect(taxTold('DE', ['DE', 'GB'])).toBe('VAT')
  expect(taxTold('AU', ['DE', 'AU'])).toBe('VAT/GST')
  expect([taxTold('US', ['DE', 'US']), taxTold('GB', ['DE']), taxTold(null, ['DE'])]).toEqual([null, null, null])
})

test('P-15 whatever the sources name, a payment has columns that the database takes', () => {
  const word = fc.option(fc.oneof(fc.string(), fc.constantFrom('DE', 'FR', 'XX', 'de', 'EUR', '')))
  fc.assert(
    fc.property(word, word, word, (card, address, network) => {
      const found = taxOf(sale, { card, address, network }, ['DE', 'FR'])
      for (const country of [found.card_country, found.address_country, found.network_country, found.tax_country]) {
        if (country !== null) expect(country).toMatch(/^[A-Z]{2}$/)
      }
      expect(found.tax_basis === 'rate').toBe(found.tax_rate > 0)
    }),
  )
})
