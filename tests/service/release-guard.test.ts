/** The client that the Studio is given: a release that would break the site is neither run nor scheduled. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SanityClient } from '@sanity/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../scripts/settings.ts'
import { type RunningLake, startLake } from '../../stand-ins/content-lake/start.ts'
import { guardedClient } from '../../studio/releases/guard.ts'
import { lastRefusal } from '../../studio/releases/refusals.ts'
import { publishCheck } from '../../studio/schemas/publish-check.ts'

let folder: string
let lake: RunningLake
let client: SanityClient

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'release-guard-'))
  const token = 'the-lakes-own-token-0123456789'
  lake = await startLake({ dataDir: folder, token, seed: join(root, 'studio', 'dataset') })
  const place = { projectId: 'local0001', dataset: 'production', apiHost: lake.url, useProjectHostname: false }
  // as the Studio asks for it: by withConfig, and by clone
  client = guardedClient({ ...place, apiVersion: '2026-03-01', token, useCdn: false })
    .clone()
    .withConfig({ perspective: 'raw' })
})
afterAll(async () => {
  await lake.close()
  rmSync(folder, { recursive: true, force: true })
})

const stateOf = async (name: string) => (await client.getDocument(`_.releases.${name}`))?.['state'] as string
const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'it was carried out',
    (error: Error) => error.message,
  )

test('K-05 a release that breaks the site as a whole is refused, by what is missing; mended, it is run', async () => {
  const releaseId = 'rPrivacy'
  await client.releases.create({ releaseId } as never)
  await client.unpublishVersion({ releaseId, publishedId: 'legal-privacy' })
  const publishAt = new Date(Date.now() + 3_600_000).toISOString()
  const attempts = [
    () => client.releases.publish({ releaseId }),
    () => client.releases.schedule({ releaseId, publishAt }),
  ]
  for (const attempt of attempts) {
    expect(await refusal(attempt())).toBe('the site would be broken in one place, which the note names')
    const missing = { documentId: 'legal-privacy', message: expect.stringMatching(/ is missing/) }
    expect(lastRefusal()?.errors).toMatchObject([missing])
    expect(await stateOf(releaseId)).toBe('active')
  }
  // whether an editor may is asked before they press
  await client.releases.publish({ releaseId }, { dryRun: true } as never)
  await client.discardVersion({ releaseId, publishedId: 'legal-privacy' })
  await client.createVersion({ baseId: 'landing', releaseId, publishedId: 'landing' } as never)
  await client.patch(`versions.${releaseId}.landing`).set({ heading: 'Released' }).commit()
  await client.releases.schedule({ releaseId, publishAt })
  expect(await stateOf(releaseId)).toBe('scheduled')
  await client.releases.unschedule({ releaseId })
  await client.releases.publish({ releaseId })
  expect((await client.getDocument('landing'))?.['heading']).toBe('Released')
})

test('K-05 a page in a release may keep its address, and may not take that of another', async () => {
  const rules: ((value: unknown, context: unknown) => Promise<unknown>)[] = []
  const rule = {
    custom: (check: (typeof rules)[number]) => (
      rules.push(check),
      { error: () => rule, warning: () => rule, info: () => rule }
    ),
  }
  publishCheck('slug')(rule as never)
  const unique = rules.at(-1)
  await client.releases.create({ releaseId: 'rLegal' } as never)
  const published = await client.getDocument('legal-privacy')
  const version = { ...published, _id: 'versions.rLegal.legal-privacy' } as Record<string, unknown> & {
    _id: string
    _type: string
  }
  await client.createOrReplace(version)
  const check = (value: object) => unique?.(value, { getClient: () => client })
  expect(await check(version)).toBe(true)
  expect(await check({ ...version, slug: 'contact-us' })).toMatchObject({ path: ['slug'] })
  // where the other one goes elsewhere in the same release, its address is free
  const contact = await client.getDocument('legal-contact-us')
  await client.createOrReplace({
    ...contact,
    _id: 'versions.rLegal.legal-contact-us',
    slug: 'elsewhere',
  } as typeof version)
  expect(await check({ ...version, slug: 'contact-us' })).toBe(true)
  // outside of it nothing has changed yet
  expect(await check({ ...version, _id: 'drafts.legal-privacy', slug: 'contact-us' })).toMatchObject({ path: ['slug'] })
})
