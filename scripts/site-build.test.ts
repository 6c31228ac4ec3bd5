import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@sanity/client'
import { afterEach, expect, test, vi } from 'vitest'
import { startLake } from '../stand-ins/content-lake/start.ts'
import type { Document } from '../studio/check/finding.ts'
import { CONTENT_QUERY } from '../studio/check/rules.ts'
import { revisionsOf } from './content-check.ts'
import { BUILD_VARIABLES, root } from './settings.ts'
import { buildKey, ProgramsChanged, releaseSite } from './site-build.ts'

afterEach(() => vi.unstubAllEnvs())

test('K-01 K-04 a build is named by all that it is made of: what changes a page or a host’s file makes another', () => {
  for (const name of BUILD_VARIABLES) vi.stubEnv(name, undefined)
  const made = (more: { programs?: string; dataset?: string; rev?: string } = {}) =>
    buildKey(more.programs ?? 'a', { SANITY_PROJECT_ID: 'p', SANITY_DATASET: more.dataset ?? 'd' }, [
      { _id: 'quiz', _rev: more.rev ?? '1' },
    ])
  const names = [made(), made({ programs: 'b' }), made({ dataset: 'e' }), made({ rev: '2' })]
  for (const name of [
    'SITE_URL',
    'TRACKING_SCOPE',
    'PUBLIC_API_URL',
    'API_SERVERS',
    'HSTS_SUBDOMAINS',
    'NGINX_ROOT',
    'NGINX_LISTEN',
  ]) {
    vi.stubEnv(name, 'https://example.com')
    names.push(made())
    vi.stubEnv(name, undefined)
  }
  expect(new Set(names).size).toBe(names.length)
  expect(made()).toBe(names[0])
})

test('K-05 K-06 a publisher’s check is not made again, and anything else that a build reads is checked', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'checked-'))
  const lake = await startLake({ dataDir: folder, seed: join(root, 'studio', 'dataset'), token: 'editors' })
  const project = { projectId: 'local0001', dataset: 'production', apiVersion: '2026-03-01', token: 'editors' }
  const client = createClient({ ...project, apiHost: lake.url, useProjectHostname: false, useCdn: false })
  const env = { SANITY_PROJECT_ID: 'local0001', SANITY_DATASET: 'production', SANITY_API_HOST: lake.url }
  const seen = async () =>
    revisionsOf(await client.withConfig({ perspective: 'published' }).fetch<Document[]>(CONTENT_QUERY))
  // as far as the publish check: what Astro does with sound content is not asked here
  const write = () => Promise.reject(new Error('Astro was asked'))
  const outcome = (checked = {}, launch = false) =>
    releaseSite(env, join(folder, 'builds'), { site: join(folder, 'site'), who: 'test', checked, launch, write }).then(
      () => 'built',
      (error: Error) => error.message.split('\n')[0],
    )
  try {
    // K-06: of the sample, which is sound and not ready for visitors
    const ready = await seen()
    expect(await outcome(ready, true)).toBe('Astro was asked')
    await client.patch('testimonial-js').set({ age: 71 }).commit()
    expect([await outcome(ready), await outcome(ready, true)]).toEqual([
      'Astro was asked',
      expect.stringMatching(/^Not ready for visitors/),
    ])
    // whether it was checked shows in what becomes of it
    await client.patch('quiz').unset(['steps[_key=="email"]']).commit()
    expect(await outcome()).toBe('Published content is broken:')
    const before = await seen()
    expect(await outcome(before)).toBe('Astro was asked')
    await client.patch('testimonial-js').set({ age: 70 }).commit()
    expect(await outcome(before)).toBe('Published content is broken:')
    const later = await seen()
    await client.delete('legal-privacy')
    expect(await outcome(later)).toBe('Published content is broken:')
    const last = await seen()
    await client.create({ _id: 'legal-more', _type: 'legalPage' })
    expect(await outcome(last)).toBe('Published content is broken:')
  } finally {
    await lake.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('K-04 K-06 a release under a running publisher is not built by it, nor one during a build', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'released-'))
  const lake = await startLake({ dataDir: folder, seed: join(root, 'studio', 'dataset'), token: 'editors' })
  const env = { SANITY_PROJECT_ID: 'local0001', SANITY_DATASET: 'production', SANITY_API_HOST: lake.url }
  const [site, builds] = [join(folder, 'site'), join(folder, 'builds')]
  let [disk, written] = ['new', 0]
  const released = () =>
    releaseSite(env, builds, {
      site,
      who: 'test',
      programs: 'old',
      onDisk: () => disk,
      write: (work) => {
        mkdirSync(work)
        written++
        disk = 'new'
        return Promise.resolve()
      },
    })
  try {
    await expect(released()).rejects.toThrow(ProgramsChanged)
    expect(written).toBe(0)
    disk = 'old'
    await expect(released()).rejects.toThrow(ProgramsChanged)
    expect(written).toBe(1)
    expect(existsSync(site)).toBe(false)
    expect(readdirSync(builds).filter((name) => !/lease/.test(name))).toEqual([])
  } finally {
    await lake.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('K-04 a picture that is uploaded makes no other build, and none begins anew with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'uploaded-'))
  const lake = await startLake({ dataDir: folder, seed: join(root, 'studio', 'dataset'), token: 'editors' })
  const project = { projectId: 'local0001', dataset: 'production', apiVersion: '2026-03-01', token: 'editors' }
  const client = createClient({ ...project, apiHost: lake.url, useProjectHostname: false, useCdn: false })
  const env = { SANITY_PROJECT_ID: 'local0001', SANITY_DATASET: 'production', SANITY_API_HOST: lake.url }
  const [site, builds] = [join(folder, 'site'), join(folder, 'builds')]
  const upload = async (name: string) =>
    client.assets.upload('image', readFileSync(join(root, 'public', name)), { filename: name })
  let written = 0
  const write = async (work: string) => {
    written++
    await upload('icon-192.png')
    mkdirSync(work)
    writeFileSync(join(work, 'index.html'), '<!doctype html><title>Built</title>')
  }
  const fresh = async () => (await releaseSite(env, builds, { site, who: 'test', write })).fresh
  try {
    expect([await fresh(), written]).toEqual([true, 1])
    await upload('icon-512.png')
    expect([await fresh(), written]).toEqual([false, 1])
    await client.patch('testimonial-js').set({ age: 71 }).commit()
    expect([await fresh(), written]).toEqual([true, 2])
  } finally {
    await lake.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('N-03 nginx.conf serves the folder and listens where the build is told, else as in a container', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hosted-'))
  const lake = await startLake({ dataDir: folder, seed: join(root, 'studio', 'dataset'), token: 'editors' })
  const env = { SANITY_PROJECT_ID: 'local0001', SANITY_DATASET: 'production', SANITY_API_HOST: lake.url }
  const write = (work: string) => Promise.resolve(void mkdirSync(work))
  const site = join(folder, 'site')
  const places = async () => {
    await releaseSite(env, join(folder, 'builds'), { site, who: 'test', write })
    return readFileSync(join(site, 'nginx.conf'), 'utf8').match(/^  (root|listen) .*$/gm)
  }
  try {
    for (const name of BUILD_VARIABLES) vi.stubEnv(name, undefined)
    expect(await places()).toEqual(['  listen 8080;', '  root /usr/share/nginx/html;'])
    vi.stubEnv('NGINX_ROOT', '/srv/site/html')
    vi.stubEnv('NGINX_LISTEN', '127.0.0.1:8080')
    expect(await places()).toEqual(['  listen 127.0.0.1:8080;', '  root /srv/site/html;'])
  } finally {
    await lake.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('K-04 a number of builds to keep that is no number is refused before a build, and removes none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-'))
  const lake = await startLake({ dataDir: folder, seed: join(root, 'studio', 'dataset'), token: 'editors' })
  const env = { SANITY_PROJECT_ID: 'local0001', SANITY_DATASET: 'production', SANITY_API_HOST: lake.url }
  const builds = join(folder, 'builds')
  const write = (work: string) => {
    mkdirSync(work)
    return Promise.resolve(writeFileSync(join(work, 'index.html'), ''))
  }
  const release = () => releaseSite(env, builds, { site: join(folder, 'site'), who: 'test', write })
  const made = () => readdirSync(builds).filter((name) => /^[0-9a-f]+$/.test(name)).length
  try {
    for (const address of ['https://one.example', 'https://two.example']) {
      vi.stubEnv('SITE_URL', address)
      await release()
    }
    expect(made()).toBe(2)
    for (const wrong of ['30d', '-1', 'all']) {
      vi.stubEnv('SITE_BUILDS_KEPT', wrong)
      await expect(release()).rejects.toThrow('SITE_BUILDS_KEPT is not right')
    }
    vi.stubEnv('SITE_BUILDS_KEPT', '1')
    await release()
    expect(made()).toBe(2)
  } finally {
    await lake.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
