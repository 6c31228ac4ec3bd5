/** The table of duties: complete, proved, read by what depends on it, shown to operators (the check: studio/check). */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cellOf, countriesWith, DUTY_IDS, JURISDICTION_IDS, proofOf } from '../../contract/duties/table.ts'
import { readConfig } from '../../payments-service/config.ts'
import { dutiesPage } from '../../payments-service/operator/duties.pages.ts'
import { root } from '../../scripts/settings.ts'
import { startEdited } from './edited-settings.ts'
import { environment } from './service.ts'

const SETTINGS = JSON.parse(readFileSync(join(root, 'studio', 'dataset', 'settings.ndjson'), 'utf8'))
const titles = new Map<string, string>()
const textOf = (file: string): string => {
  const text = titles.get(file) ?? (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '')
  titles.set(file, text)
  return text
}

test('H-01 H-02 H-04 no cell of the table is empty: each has a law, a day and a test, or why there is none', () => {
  expect([JURISDICTION_IDS.length, DUTY_IDS.length]).toEqual([12, 16])
  for (const duty of DUTY_IDS) {
    for (const place of JURISDICTION_IDS) {
      const [cell, at] = [cellOf(duty, place), `${duty} in ${place}`]
      expect(cell.source.length, at).toBeGreaterThan(8)
      expect([cell.read, cell.toRead].filter(Boolean), `${at}: where it was read, or can be`).toHaveLength(1)
      if (cell.state === 'none') continue
      expect(cell.from, at).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(Number.isNaN(Date.parse(cell.from)), at).toBe(false)
      if (cell.state === 'unmet') continue
      const { file, title } = proofOf(duty, place)
      expect(file, at).toMatch(/\.(test|spec)\.ts$/)
      // in the title of a test: the line begins one, or is its argument
      expect(
        textOf(file)
          .split('\n')
          .some((line) => /^\s*(test|it)\(|^\s*[`'"]/.test(line) && line.includes(title)),
        `${at}: ${file} has no test “${title}”`,
      ).toBe(true)
    }
  }
})

test('H-02 D-13 C-11 the settings that come along, and the defaults of the service, are those of the table', () => {
  const sorted = (list: readonly string[]) => [...list].sort()
  expect(sorted(SETTINGS.strictBuyingCountries)).toEqual(sorted(countriesWith('payment_label')))
  expect(sorted(countriesWith('withdrawal'))).toEqual(sorted(countriesWith('payment_label')))
  expect(sorted(countriesWith('pre_selection'))).toEqual(sorted(countriesWith('payment_label')))
  const regions = SETTINGS.healthConsentRegions.map((region: string) => region.slice(0, 2))
  expect(sorted([...new Set<string>(regions)])).toEqual(sorted(countriesWith('health_consent')))
  const { consentRegions } = readConfig(environment({ CONSENT_REGIONS: undefined }))
  expect(sorted(consentRegions)).toEqual(sorted(countriesWith('tracking_consent')))
  expect(consentRegions).toEqual(expect.arrayContaining(['DE', 'GB', 'CH', 'NO', 'CA', 'AU', 'RE', 'AX']))
  expect(consentRegions).toHaveLength(41)
})

test('H-02 a tag that an editor removes takes the right to withdraw from nobody; one added gives it', async () => {
  const shop = await startEdited({ strictBuyingCountries: ['US'] })
  const { strictBuyingCountries: places } = await shop.service.deps.settings()
  expect(places).toEqual(expect.arrayContaining(['US', ...countriesWith('withdrawal')]))
  await shop.stop()
})

test('H-01 the operator reads every duty of every place, what is not met, and what was not checked', () => {
  const { text } = dutiesPage(new Date('2026-11-23'))
  expect(text.match(/<details/g)).toHaveLength(12)
  expect(text.match(/<h3>/g)).toHaveLength(12 * 16)
  expect(text).toContain('art. 60.4 and 98.1: at least in Castilian. Since 2014-06-13.')
  expect(text).toMatch(/<h2>Germany<\/h2>[\s\S]*BGB § 312k[\s\S]*Since 2022-07-01/)
  const unread = text.match(/Not checked against the text of the law; see \S/g)?.length
  const counted = [...text.matchAll(/, (\d+) not checked</g)].map(([, count]) => Number(count))
  expect(counted).toHaveLength(12)
  expect(counted.reduce((sum, one) => sum + one, 0)).toBe(unread)
  expect(text).toMatch(/Prices with tax: <span class="bad">not met<\/span>/)
})
