/** The last gate before visitors (K-05): what `npm run build` does with the owner's own project, and in production. */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@sanity/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pathText, type Document } from '../studio/check/finding.ts'
import { checkDataset, CONTENT_QUERY } from '../studio/check/rules.ts'
import { startLake, type RunningLake } from '../stand-ins/content-lake/start.ts'
import { checkContent, isForVisitors } from './content-check.ts'
import { runTool } from './processes.ts'
import { root } from './settings.ts'

let folder: string
let lake: RunningLake
/** The owner's project, as far as a build can tell: an id, and an address that answers for it. */
let project: Record<string, string>
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'launch-'))
  lake = await startLake({ dataDir: folder, seed: join(root, 'studio', 'dataset'), token: 'editors' })
  project = { SANITY_PROJECT_ID: 'local0001', SANITY_DATASET: 'production', SANITY_API_HOST: lake.url }
})
afterEach(async () => {
  await lake.close()
  rmSync(folder, { recursive: true, force: true })
})
const client = () =>
  createClient({
    projectId: 'local0001',
    dataset: 'production',
    apiHost: lake.url,
    useProjectHostname: false,
    useCdn: false,
    apiVersion: '2026-03-01',
    token: 'editors',
    perspective: 'published',
  })
const build = (env: Record<string, string>) =>
  runTool(['scripts/run-build.ts'], { env: { SANITY_PROJECT_ID: '', NODE_ENV: '', ALLOW_SAMPLE_CONTENT: '', ...env } })
/** Content that has to be the owner's own before a launch. A public build reads no paid content. */
const openPlaces = async () =>
  checkDataset(await client().fetch<Document[]>(CONTENT_QUERY)).filter(
    ({ level, documentId }) => level === 'launch' && !documentId.startsWith('programme.'),
  )
const dist = join(root, 'dist')
const builtAt = () => (existsSync(dist) ? statSync(dist).mtimeMs : 0)

test('K-05 a build with a project of one’s own refuses sample content by place and leaves dist/ alone', async () => {
  const before = builtAt()
  const { ok, output } = await build(project)
  expect(ok).toBe(false)
  const open = await openPlaces()
  expect(output).toContain(`Not ready for visitors, ${open.length} places`)
  for (const { documentType, documentId, path } of open) {
    expect(output).toContain(`${documentType} "${documentId}", field ${pathText(path)}:`)
  }
  expect(output).toContain('field steps[_key=="dry-eye-facts"].facts')
  expect(output).toContain('ALLOW_SAMPLE_CONTENT=1')
  expect(builtAt()).toBe(before)
})

test('K-05 so does NODE_ENV=production without a project: a forgotten id puts no sample online', async () => {
  const before = builtAt()
  const { ok, output } = await build({ NODE_ENV: 'production' })
  expect(ok).toBe(false)
  expect(output).toContain('NODE_ENV=production without SANITY_PROJECT_ID')
  expect(output).toContain('Not ready for visitors')
  expect(builtAt()).toBe(before)
})

test('K-05 a trial may show the sample; development and tests always do', () => {
  expect(isForVisitors({})).toBe(false)
  expect(isForVisitors({ NODE_ENV: 'test' })).toBe(false)
  expect(isForVisitors(project)).toBe(true)
  expect(isForVisitors({ NODE_ENV: 'production' })).toBe(true)
  expect(isForVisitors({ ...project, NODE_ENV: 'production', ALLOW_SAMPLE_CONTENT: '1' })).toBe(false)
})

test('K-05 K-06 content that is the owner’s and proved may go out; what is broken never may', async () => {
  await expect(checkContent(project)).resolves.toHaveProperty('landing')
  await expect(checkContent(project, true)).rejects.toThrow('Not ready for visitors')
  const mends: Readonly<Record<string, unknown>> = {
    sample_content: false,
    claim_without_source: 'A study of our own, 2026',
    example_address: 'hello@brightgaze.com',
    saving_not_in_catalogue:
      'A discount for {renewalDays} days: {specialOfferPrice} instead of {listPrice}, then {monthlyPrice}. ' +
      '{trialSaving} less.',
    unmet_duty: ['US'],
  }
  const open = await openPlaces()
  const transaction = client().transaction()
  for (const { documentId, path, code } of open)
    transaction.patch(documentId, { set: { [pathText(path)]: mends[code] } })
  await transaction.commit()
  await expect(checkContent(project, true)).resolves.toHaveProperty('landing')

  await client().patch('landing').unset(['heading']).commit()
  await client().patch('quiz').unset(['steps[_key=="email"]']).commit()
  for (const launch of [false, true]) {
    await expect(checkContent(project, launch)).rejects.toThrow(/Published content is broken:[\s\S]*quiz "quiz"/)
  }
})
