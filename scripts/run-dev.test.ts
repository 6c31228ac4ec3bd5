/** `npm run dev` has no publisher: the dev server queries the content lake for every page and hears of new pages. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@sanity/client'
import { expect, test } from 'vitest'
import { launch, untilReady } from './processes.ts'
import { devServer, lake, type World } from './programs.ts'
import { anyPort } from '../db/ports.ts'
import { newSecrets, usualPorts } from './settings.ts'

test('K-04 in development the site shows what is published with the next request, on every kind of page', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'dev-'))
  const ports = { ...usualPorts, lake: await anyPort(), dev: await anyPort() }
  const world: World = { ports, secrets: newSecrets(), databaseUrl: '', dataDir, configured: {} }
  const content = launch(lake(world), { logDir: dataDir })
  const site = launch(devServer(world), { logDir: dataDir })
  const client = createClient({
    projectId: 'local0001',
    dataset: 'production',
    apiHost: `http://127.0.0.1:${ports.lake}`,
    useProjectHostname: false,
    useCdn: false,
    apiVersion: '2026-03-01',
    token: world.secrets.lakeToken,
    perspective: 'published',
  })
  const page = async (path: string) => (await fetch(`http://localhost:${ports.dev}${path}`)).text()
  try {
    await untilReady(content, lake(world).readyUrl)
    await untilReady(site, devServer(world).readyUrl, 180_000)
    const changes = [
      ['/', 'landing', 'heading', 'Published while developing: landing'],
      ['/quiz', 'quiz', 'welcome.title', 'Published while developing: quiz'],
      ['/legal/privacy', 'legal-privacy', 'title', 'Published while developing: legal'],
      ['/women-over60', 'advertorial-women-over60', 'headline', 'Published while developing: article'],
    ] as const
    for (const [path, , , words] of changes) expect(await page(path)).not.toContain(words)
    for (const [, id, field, words] of changes)
      await client
        .patch(id)
        .set({ [field]: words })
        .commit()
    for (const [path, , , words] of changes) expect(await page(path), path).toContain(words)
    await client.createIfNotExists({
      ...(await client.getDocument('legal-privacy')),
      _id: 'legal-new',
      _type: 'legalPage',
      slug: 'new-page',
      title: 'A page that is new',
    })
    await expect.poll(() => page('/legal/new-page')).toContain('A page that is new')
  } finally {
    await Promise.all([content.stop(), site.stop()])
    rmSync(dataDir, { recursive: true, force: true })
  }
}, 400_000)
