import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildsIn, prune, sweep, writeRecord } from './builds.ts'
import { journal, pinOf } from './journal.ts'
import { pin, showBuild, rollBack, unpin } from './live.ts'

let place: string
let builds: string
let site: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'eye-releases-'))
  builds = join(place, 'builds')
  site = join(place, 'site')
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

let count = 0
/** A build with these hashed files, newer than those made before. */
function build(...files: string[]): string {
  const folder = join(builds, (++count).toString(16).padStart(16, '0'))
  mkdirSync(join(folder, '_astro'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), basename(folder))
  for (const name of files) writeFileSync(join(folder, '_astro', name), name)
  writeRecord(folder, { built: new Date().toISOString(), sources: '', documents: {}, changed: [], files })
  utimesSync(folder, 1_700_000_000 + count, 1_700_000_000 + count)
  return folder
}
const shown = () => readFileSync(join(site, 'index.html'), 'utf8')
const files = () => readdirSync(join(site, '_astro')).sort()
const DAY = 24 * 60 * 60
/** As if a file had been live for the last time so many days ago. */
function age(folder: string, name: string, days: number): void {
  const at = Date.now() / 1000 - days * DAY
  utimesSync(join(folder, '_astro', name), at, at)
}

test('K-04 a build that becomes live has the files of all that were live within a week, back and forth', async () => {
  const [one, two, three] = [build('a.js', 'x.1.js'), build('a.js', 'x.2.js'), build('a.js', 'x.3.js')]
  await showBuild(one, site, 'test')
  await showBuild(two, site, 'test')
  await showBuild(three, site, 'test')
  expect(files()).toEqual(['a.js', 'x.1.js', 'x.2.js', 'x.3.js'])
  await rollBack(site, 'test')
  expect([shown(), files()]).toEqual([basename(two), ['a.js', 'x.1.js', 'x.2.js', 'x.3.js']])
  age(three, 'x.1.js', 8)
  age(three, 'x.3.js', 6)
  await rollBack(site, 'test', basename(one))
  // what is a build's own never grows old
  age(one, 'x.1.js', 30)
  await rollBack(site, 'test', basename(three))
  expect(files()).toEqual(['a.js', 'x.1.js', 'x.2.js', 'x.3.js'])
  age(three, 'x.1.js', 8)
  age(three, 'x.2.js', 8)
  const four = build('x.4.js')
  await unpin(site, 'test')
  await showBuild(four, site, 'test')
  expect(files()).toEqual(['a.js', 'x.3.js', 'x.4.js'])
})

test('K-04 a file lives a week from the end of its last build, however long that one was live', async () => {
  const [one, two] = [build('x.1.js'), build('x.2.js')]
  await showBuild(one, site, 'test')
  age(one, 'x.1.js', 300)
  await showBuild(two, site, 'test')
  expect(files()).toEqual(['x.1.js', 'x.2.js'])
})

test('K-04 a rollback goes back one publish at a time, holds the site and is undone by unpin', async () => {
  const [one, two, three] = [build('1.js'), build('2.js'), build('3.js')]
  for (const folder of [one, two, three]) expect(await showBuild(folder, site, 'publisher')).toBe(true)
  expect(await rollBack(site, 'ada')).toBe(basename(two))
  expect(await rollBack(site, 'ada')).toBe(basename(one))
  await expect(rollBack(site, 'ada')).rejects.toThrow('No earlier build')
  await expect(rollBack(site, 'ada', '../../etc')).rejects.toThrow('There is no build')
  const four = build('4.js')
  for (let again = 0; again < 2; again++) expect(await showBuild(four, site, 'publisher')).toBe(false)
  expect(shown()).toBe(basename(one))
  expect(pinOf(builds, site)).toMatchObject({ who: 'ada', what: 'rolled back', build: basename(one) })
  expect(await unpin(site, 'bob')).toBe(basename(four))
  expect([shown(), pinOf(builds, site)]).toEqual([basename(four), undefined])
  expect(journal(builds, site).map(({ what, who, build: name }) => [what, who, name])).toEqual([
    ...[one, two, three].map((folder) => ['published', 'publisher', basename(folder)]),
    ['rolled back', 'ada', basename(two)],
    ['rolled back', 'ada', basename(one)],
    ['held back', 'publisher', basename(four)],
    ['unpinned', 'bob', basename(four)],
  ])
})

test('K-04 a build that became live by unpinning is gone back to like one that was published', async () => {
  const [one, two, three, four] = [build('1.js'), build('2.js'), build('3.js'), build('4.js')]
  for (const folder of [one, two]) await showBuild(folder, site, 'publisher')
  await rollBack(site, 'ada')
  expect(await showBuild(three, site, 'publisher')).toBe(false)
  expect(await unpin(site, 'ada')).toBe(basename(three))
  await showBuild(four, site, 'publisher')
  expect(await rollBack(site, 'ada')).toBe(basename(three))
  expect(await rollBack(site, 'ada')).toBe(basename(two))
})

test('K-04 a pin holds what is live; each site of the same builds has its own', async () => {
  const [one, two] = [build('1.js'), build('2.js')]
  const other = join(place, 'dist')
  for (const link of [site, other]) await showBuild(one, link, 'publisher')
  expect(await pin(site, 'ada')).toBe(basename(one))
  expect([await showBuild(two, site, 'publisher'), await showBuild(two, other, 'publisher')]).toEqual([false, true])
  expect([shown(), readFileSync(join(other, 'index.html'), 'utf8')]).toEqual([basename(one), basename(two)])
})

test('K-04 a publish that leads to the very build a site is held at is noted: unpinned, it stays there', async () => {
  const [one, two] = [build('1.js'), build('2.js')]
  for (const folder of [one, two]) await showBuild(folder, site, 'publisher')
  await rollBack(site, 'ada')
  // the editors took back what they had added: what is published is the first build again
  for (let again = 0; again < 2; again++) expect(await showBuild(one, site, 'publisher')).toBe(true)
  expect(await unpin(site, 'ada')).toBe(basename(one))
  expect(shown()).toBe(basename(one))
  const noted = journal(builds, site).map(({ what, build: name }) => [what, name])
  expect(noted.slice(2)).toEqual(['rolled back', 'published', 'unpinned'].map((what) => [what, basename(one)]))
  // one publish back is what was published before the editors took it back
  expect(await rollBack(site, 'ada')).toBe(basename(two))
})

test('K-04 a publish that was cut off between its swap and its note is noted by the next look', async () => {
  const [one, two] = [build('1.js'), build('2.js')]
  await showBuild(one, site, 'publisher')
  const before = readFileSync(join(builds, 'journal.jsonl'))
  await showBuild(two, site, 'publisher')
  writeFileSync(join(builds, 'journal.jsonl'), before)
  await showBuild(two, site, 'publisher')
  await pin(site, 'ada')
  expect(await unpin(site, 'ada')).toBe(basename(two))
  expect(await rollBack(site, 'ada')).toBe(basename(one))
})

test('K-04 a folder that was served before becomes a link, and its files outlive it too', async () => {
  mkdirSync(join(site, '_astro'), { recursive: true })
  writeFileSync(join(site, 'index.html'), 'of a copy')
  writeFileSync(join(site, '_astro', 'old.js'), 'old')
  await showBuild(build('new.js'), site, 'test')
  expect([lstatSync(site).isSymbolicLink(), files()]).toEqual([true, ['new.js', 'old.js']])
  // the folder of both can be moved, or mounted elsewhere
  expect(readlinkSync(site)).toMatch(/^builds/)
  expect(readdirSync(place).sort()).toEqual(['builds', 'site'])
})

test('K-04 old builds go, but never one that is live or waits behind a pin; what died half-way goes too', async () => {
  const [one, two, three] = [build('1.js'), build('2.js'), build('3.js')]
  await showBuild(one, site, 'test')
  await pin(site, 'test')
  await showBuild(two, site, 'test')
  mkdirSync(join(builds, `${'a'.repeat(16)}.5f0c`))
  const four = build('4.js')
  prune(builds, 1)
  sweep(builds)
  expect(buildsIn(builds).map((path) => basename(path))).toEqual([four, two, one].map((path) => basename(path)))
  expect(existsSync(`${three}.json`)).toBe(false)
  expect(readdirSync(builds).filter((name) => /^[0-9a-f]{16}\.(?!json)/.test(name))).toEqual([])
})

test('K-04 a rollback that cannot be noted is not made: the next publish would undo it', async () => {
  const [one, two] = [build(), build()]
  await showBuild(one, site, 'test')
  await showBuild(two, site, 'test')
  const file = join(builds, 'journal.jsonl')
  rmSync(file)
  mkdirSync(file)
  await expect(rollBack(site, 'test', basename(one))).rejects.toThrow('EISDIR')
  expect(shown()).toBe(basename(two))
})

test('K-04 a build that goes while the builds are listed is none of them', () => {
  const one = build()
  // what was there when the names were read, and is not when it is looked at
  symlinkSync('gone', join(builds, 'f'.repeat(16)))
  expect(buildsIn(builds)).toEqual([one])
})

test('K-04 a line of the journal that was cut short costs that line alone', async () => {
  const [one, two] = [build('1.js'), build('2.js')]
  await showBuild(one, site, 'test')
  writeFileSync(join(builds, 'journal.jsonl'), '{"at":"2026-1', { flag: 'a' })
  await showBuild(two, site, 'test')
  expect(journal(builds, site).map(({ build: name }) => name)).toEqual([one, two].map((path) => basename(path)))
})

test('K-04 a site reached over a link above it is one site: it leads to its build, and a pin holds', async () => {
  mkdirSync(join(place, 'disk', 'deep', 'www'), { recursive: true })
  symlinkSync(join('disk', 'deep', 'www'), join(place, 'www'))
  ;[builds, site] = [join(place, 'www', 'builds'), join(place, 'www', 'site')]
  const elsewhere = join(place, 'outside')
  mkdirSync(elsewhere)
  const [one, two] = [build('a.js'), build('b.js')]
  await showBuild(one, site, 'test')
  expect(shown()).toBe(basename(one))
  await showBuild(one, site, 'test')
  expect(journal(builds, site)).toHaveLength(1)
  // an operator's command finds the builds by the link, a publisher gets their place as an option
  await pin(site, 'operator')
  expect(pinOf(builds, site)).toMatchObject({ what: 'pinned', who: 'operator' })
  expect(await showBuild(two, site, 'test')).toBe(false)
  // builds beside the link, and on another disk
  builds = elsewhere
  await showBuild(build('c.js'), join(place, 'www', 'other'), 'test')
  expect(existsSync(join(place, 'www', 'other', 'index.html'))).toBe(true)
})
