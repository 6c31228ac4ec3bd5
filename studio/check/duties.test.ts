/** The launch check over the settings: the markets that are sold to against the table of duties. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cellOf, DUTIES, DUTY_IDS, JURISDICTION_IDS, JURISDICTIONS } from '../../contract/duties/table.ts'
import { checkDuties } from './duties.rules.ts'
import type { Document, Finding } from './finding.ts'
import { checkDocument } from './rules.ts'

const SETTINGS = JSON.parse(readFileSync(new URL('../dataset/settings.ndjson', import.meta.url), 'utf8'))
const unmet = (change: object): Finding[] =>
  checkDocument({ ...SETTINGS, ...change }).filter(({ code }) => code === 'unmet_duty')
const messages = (change: object): string[] =>
  unmet(change).map(({ path, message }) => `${String(path[0])}: ${message}`)
/** The same on another day. */
function on(day: string, change: object): string[] {
  const said: string[] = []
  const settings = { ...SETTINGS, ...change } as Document
  checkDuties(
    settings,
    (path, code, message, level) => said.push([path, code, level, message].join(' ')),
    new Date(day),
  )
  return said
}

test('H-01 the launch check names each unmet duty of a market that is sold to, and none of others', () => {
  const open = JURISDICTION_IDS.flatMap((place) =>
    DUTY_IDS.flatMap((duty) => {
      const cell = cellOf(duty, place)
      return cell.state === 'unmet' && Date.parse(cell.from) <= Date.now() ? [{ place, duty }] : []
    }),
  )
  const everywhere = messages({ markets: [] })
  expect(everywhere).toHaveLength(open.length)
  for (const { place, duty } of open) {
    const { name } = DUTIES[duty]
    const why = `is not met (${cellOf(duty, place).source}). Do not sell there, or have it built.`
    expect(everywhere).toContain(`markets: ${JURISDICTIONS[place].name}: “${name}” ${why}`)
  }
  const canadian = messages({ markets: ['CA'] })
  expect(canadian.some((one) => one.includes('Canada: “Prices with tax” is not met (Excise Tax Act'))).toBe(true)
  expect(canadian.filter((one) => !/^markets: Canada:/.test(one))).toEqual([])
  const foreign = ['BR', 'JP'].map(
    (market) =>
      `markets: ${market}: nobody has looked up yet what the law asks for there (contract/duties). Have it ` +
      'added first.',
  )
  expect(messages({ markets: ['BR', 'US', 'JP'] })).toEqual(foreign)
  // a list that is none, or has something else in it, names nobody
  expect(messages({ markets: ['US', 7] })).toEqual([])
  expect(messages({ markets: 'BR' })).toEqual(everywhere)
  expect(unmet({ markets: [] }).every(({ level }) => level === 'launch')).toBe(true)
})

test('H-02 C-11 D-13 a list of the settings that breaks the law of a market is named with country and law', () => {
  const without = (list: string[], country: string) => list.filter((one) => one !== country)
  const lists = (change: object) =>
    messages({ markets: ['FR'], ...change }).filter((one) => !one.startsWith('markets:'))
  expect(lists({})).toEqual([])
  const bare = lists({ strictBuyingCountries: without(SETTINGS.strictBuyingCountries, 'FR') })
  expect(bare).toContainEqual(
    'strictBuyingCountries: France: FR has to be listed here, for “Words of the button that orders” ' +
      '(Code de la consommation, art. L221-14).',
  )
  expect(lists({ marketingPretickedCountries: ['US', 'FR'] })[0]).toMatch(/^marketingPretickedCountries: .*must not be/)
  expect(lists({ healthConsentRegions: [] })[0]).toMatch(/^healthConsentRegions: .* FR has to be listed/)
  // what is given by choice may be taken back: in Switzerland the withdrawal, not the words of the button
  const strict = without(SETTINGS.strictBuyingCountries, 'CH')
  expect(lists({ markets: ['CH'], strictBuyingCountries: strict })).toEqual([
    expect.stringMatching(/^strictBuyingCountries: Switzerland: CH has to be listed here, for “Words of the button/),
  ])
  // in Canada it is the other way round: Ontario's ten days are a duty, the words of the button are not
  const bareInCanada = { markets: ['CA'], strictBuyingCountries: without(SETTINGS.strictBuyingCountries, 'CA') }
  expect(messages(bareInCanada).filter((one) => !one.startsWith('markets:'))).toEqual([
    expect.stringMatching(/^strictBuyingCountries: Canada: CA has to be listed here, for “Withdrawal without a reason/),
  ])
})

test('H-01 what the product cannot do yet is named per country: its language, its currency, an early reminder', () => {
  const open = (country: string) =>
    messages({ markets: [country] }).flatMap((one) => /: “(.+)” is not met/.exec(one)?.slice(1) ?? [])
  expect(open('FR')).toEqual(['Terms in the language of the country'])
  expect(open('ES')).toEqual(['Terms in the language of the country', 'Reminder before the first renewal'])
  expect(open('CH')).toEqual(['Prices with tax'])
  expect(open('CA')).toEqual(['Terms in the language of the country', 'Prices with tax'])
  for (const country of ['US', 'DE', 'IT', 'GB', 'AU']) expect(open(country), country).toEqual([])
})

test('H-02 C-11 D-13 each list against each of its duties: who has to be in it, who must not, and since when', () => {
  const lists = { strictBuyingCountries: [], healthConsentRegions: [], marketingPretickedCountries: ['DE', 'FR', 'US'] }
  const told = (day: string, ...markets: string[]) =>
    on(day, { markets, ...lists }).map((one) => one.replace(/ \([^“]*\)\.$/, ''))
  const has = (place: string, who: string) =>
    [
      ['strictBuyingCountries', 'has to be listed', 'Words of the button that orders'],
      ['strictBuyingCountries', 'has to be listed', 'Nothing picked in advance'],
      ['marketingPretickedCountries', 'must not be listed', 'Consent to marketing mails'],
      ['healthConsentRegions', 'has to be listed', 'Consent to health answers'],
      ['strictBuyingCountries', 'has to be listed', 'Withdrawal without a reason'],
    ].map(([field, what, duty]) => `${field} unmet_duty launch ${place}: ${who} ${what} here, for “${duty}”`)
  const german = [...has('European Union and EEA', 'DE'), ...has('Germany', 'DE')]
  expect(told('2026-11-23', 'DE')).toEqual(german)
  // of two countries under one law both are named; those that are not sold to are not
  const [both] = told('2026-11-23', 'DE', 'FR')
  expect(both).toBe(
    'strictBuyingCountries unmet_duty launch European Union and EEA: FR, DE have to be listed here, for “Words of ' +
      'the button that orders”',
  )
  // before the directive, Germany alone asked for the words of the button
  expect(told('2013-11-23', 'DE')).toEqual(german.slice(5, 6))
  expect(told('2026-11-23', 'US')).toEqual([])
  // nothing named is sold to everybody
  const everywhere = told('2026-11-23')
  expect(everywhere).toEqual(expect.arrayContaining(german.slice(5)))
  expect(everywhere.some((one) => /Union and EEA: AT, BE, .* NO have to be listed/.test(one))).toBe(true)
  expect(everywhere.some((one) => /Union and EEA: FR, DE must not be listed/.test(one))).toBe(true)
})
