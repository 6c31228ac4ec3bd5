/**
 * `npm test` (everything) and `npm run check` (--no-browser: everything that needs no browser). Ends with the plain
 * line `N passed, N failed`, counting every test, and every static check as one.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { messageOf } from '../db/command.ts'
import { findChromium, missingChromium } from '../tests/support/chromium.ts'
import { missingFirefox } from '../tests/support/firefox.ts'
import { missingFonts } from '../tests/support/fonts.ts'
import { missingBalancers } from '../tests/support/haproxy.ts'
import { findPgBouncer } from '../tests/support/pooler.ts'
import { findPromtool } from '../tests/support/promtool.ts'
import { CANARIES } from '../tests/support/secret-names.ts'
import { findSystemdAnalyze } from '../tests/support/systemd-analyze.ts'
import { missingWebKit } from '../tests/support/webkit.ts'
import {
  failedOfPlaywright,
  failedOfVitest,
  skippedOfPlaywright,
  skippedOfVitest,
  type PlaywrightReport,
  type VitestReport,
} from './failed-tests.ts'
import { installFromDistribution } from './distribution.ts'
import { launch, runTool, untilReady } from './processes.ts'
import { contentEnv, lake, standIns, type World } from './programs.ts'
import { anyPort } from '../db/ports.ts'
import { newSecrets, root, usualPorts } from './settings.ts'
import { buildSite } from './site-build.ts'
import { runStep, staticSteps } from './steps.ts'

interface Count {
  passed: number
  failed: number
}

const { browser } = new Command('npm test --')
  .description('All checks and tests; ends with the line “N passed, N failed”.')
  .option('--no-browser', 'what needs no browser: npm run check')
  .showHelpAfterError()
  .parse()
  .opts<{ browser: boolean }>()
// hundreds of processes load the same modules: the second one finds them compiled
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules', '.cache', 'compiled')
const began = Date.now()
const scratch = mkdtempSync(join(tmpdir(), 'eye-test-'))
/** Draws the order of the test files. */
const seed = began % 1_000_000
const total: Count = { passed: 0, failed: 0 }
const failures: string[] = []
/** Failed tests by name, for the last lines. */
const failed: string[] = []
/** Skipped tests by name: nothing is skipped silently. */
const skipped: string[] = []
/**
 * The fault cases that `npm test` runs: a kill at every point, parallel buyers, repeats, tampering. The others wait for
 * clocks.
 */
const quickFaults = 'kill-points,parallel,two-tabs,25h,event-repeated,tampered,forged-webhooks,prices'

try {
  // before the first test: some of the rules need pages too
  const missing = browser ? installPrograms() : undefined
  const site = browser ? buildForTests() : undefined
  const checks = staticSteps().map((step) => async () => {
    const { name, ok, output, milliseconds } = await runStep(step)
    report(name, { passed: ok ? 1 : 0, failed: ok ? 0 : 1 }, milliseconds, output)
  })
  await inTurns(checks, Math.max(2, availableParallelism() - 1))
  await site
  // two thirds of each are waiting, for a service, a clock or an outage: beside each other they use the cores
  const ofService = rules().then(() => site && siteChecks(site))
  await Promise.all([ofService, faults().then(attack).then(rehearsal).then(olderBehindPooler)])
  if (site) await journeys(site, missing)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

if (skipped.length) console.log([`\nLeft out on this machine: ${skipped.length}`, ...skipped].join('\n'))
// a CI machine has everything; elsewhere Chromium, nginx or Stripe's own tool may be missing
if (skipped.length && process.env['CI']) report('nothing is left out', { passed: 0, failed: 1 }, 0, skipped.join('\n'))
if (failures.length) console.log([`\nFailed: ${failures.join(', ')}`, ...failed].join('\n'))
console.log(`\nIn ${Math.round((Date.now() - began) / 1000)} s, test files in the order of seed ${seed}`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed || !total.passed ? 1 : 0)

/** Counts a step and prints its line; a failing step's output follows in full. */
function report(name: string, count: Count, milliseconds: number, output: string): void {
  total.passed += count.passed
  total.failed += count.failed
  const numbers = count.passed + count.failed > 1 ? ` (${count.passed} passed, ${count.failed} failed)` : ''
  console.log(`${count.failed ? 'FAILED' : 'ok    '} ${name}${numbers}  ${(milliseconds / 1000).toFixed(1)} s`)
  if (!count.failed) return
  failures.push(name)
  console.log(`${'─'.repeat(30)} ${name}\n${output}\n${'─'.repeat(30)}`)
}

/** Rules and the service, by vitest; tests of the built site are a separate step. */
function rules(): Promise<void> {
  return vitest('rules and service', ['--project', 'pages', '--project', 'programs'])
}

/** What money needs, on the other PostgreSQL that we support and through a pooler. `npm test` ran it on ours. */
async function olderBehindPooler(): Promise<void> {
  const name = 'the service on PostgreSQL 17 behind a pooler'
  if (!findPgBouncer()) return void skipped.push(`${name}: pgbouncer is missing`)
  const files = ['checkout', 'webhooks', 'cancellation', 'money-returns', 'sessions', 'tracking', 'mail-jobs', 'limits']
  const paths = files.map((file) => `tests/service/${file}.test.ts`)
  await vitest(name, ['--project', 'programs', 'db/migrate.test.ts', ...paths], {
    TEST_POSTGRES: '17',
    TEST_POOLER: '1',
  })
}

/** Crashes, partitions, duplicates in short: every case counts as one test. `npm run faults` runs all of them. */
async function faults(): Promise<void> {
  await inShort('faults', ['--case', quickFaults])
  // what pages and mails say compared with what the bank does, in the named sequences
  await inShort('faults', ['--case', 'sequences', '--only', 'named'], 'witness')
}

/** The hostile run in short. `npm run attack` runs all of it. */
function attack(): Promise<void> {
  return inShort('attack', [])
}

/** A production on this machine in short. `npm run rehearse` runs all of it. */
function rehearsal(): Promise<void> {
  return inShort('rehearsal', [])
}

/** The short form of a program under tests/ that ends with a table of cases and their violations. */
async function inShort(program: string, options: string[], name = program): Promise<void> {
  const started = Date.now()
  const file = join(scratch, `${name}.json`)
  const { ok, output } = await runTool([
    join(root, 'tests', program, 'main.ts'),
    '--quick',
    ...options,
    '--report',
    file,
  ])
  const read = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as CasesReport) : undefined
  const rows = read?.rows ?? []
  skipped.push(...(read?.leftOut ?? []))
  const broken = rows.filter(({ violations }) => violations.length > 0).length
  report(name, { passed: rows.length - broken, failed: !ok && broken === 0 ? 1 : broken }, Date.now() - started, output)
}

/** Links, markup and weight of the site that was just built. */
async function siteChecks(building: ReturnType<typeof buildForTests>): Promise<void> {
  const built = await building
  // a failed build has already been reported
  if ('dist' in built) await vitest('the built site', ['--project', 'built'], { SITE_DIST: built.dist })
}

async function vitest(name: string, only: string[], env: Record<string, string> = {}): Promise<void> {
  const started = Date.now()
  const file = join(scratch, `vitest-${name.replace(/\W+/g, '-')}.json`)
  const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const args = ['run', ...reports, `--sequence.seed=${seed}`, ...only]
  const { ok, output } = await runTool([join(root, 'node_modules/vitest/vitest.mjs'), ...args], { env })
  const read = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as VitestReport) : undefined
  const count = { passed: read?.numPassedTests ?? 0, failed: read?.numFailedTests ?? 0 }
  if (read) failed.push(...failedOfVitest(read))
  if (read) skipped.push(...skippedOfVitest(read))
  // A file that cannot be loaded counts no failed test, but the run has failed all the same.
  if (!ok && !count.failed) count.failed = 1
  report(name, count, Date.now() - started, output)
}

/** Resolves with the folder of the built site; the content is the sample's, whatever has been edited in .data/. */
async function buildForTests(): Promise<{ dist: string } | { error: string }> {
  const started = Date.now()
  const ports = { ...usualPorts, lake: await anyPort() }
  const world: World = { ports, secrets: newSecrets(), databaseUrl: '', dataDir: scratch, configured: {} }
  const content = standIns(world).lake ? launch(lake(world), { logDir: scratch }) : undefined
  try {
    if (content) await untilReady(content, lake(world).readyUrl)
    const { folder } = await buildSite({ ...CANARIES, ...contentEnv(world) }, join(root, '.data', 'builds'))
    report('build of the site', { passed: 1, failed: 0 }, Date.now() - started, '')
    return { dist: folder }
  } catch (error) {
    const message = messageOf(error)
    report('build of the site', { passed: 0, failed: 1 }, Date.now() - started, message)
    return { error: message }
  } finally {
    await content?.stop()
  }
}

/** The journeys, alone on the machine: what a person sees needs the cores for drawing. */
async function journeys(building: ReturnType<typeof buildForTests>, missing: string | undefined): Promise<void> {
  const started = Date.now()
  const built = await building
  const fail = (why: string) => report('journeys', { passed: 0, failed: 1 }, Date.now() - started, why)
  if ('error' in built) return fail('There is no site to walk through: its build failed.')
  if (!readdirSync(join(root, 'tests/journeys')).some((name) => name.endsWith('.ts'))) return
  if (missing) return fail(missing)
  const file = join(root, 'test-results', 'journeys.json')
  rmSync(file, { force: true })
  const playwright = join(root, 'node_modules/@playwright/test/cli.js')
  const { ok, output } = await runTool([playwright, 'test'], { env: { SITE_DIST: built.dist } })
  const read = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as PlaywrightReport) : undefined
  const count = { passed: read?.stats.expected ?? 0, failed: read?.stats.unexpected ?? 0 }
  if (read) failed.push(...failedOfPlaywright(read))
  if (read) skipped.push(...skippedOfPlaywright(read))
  if (!ok && !count.failed) count.failed = 1
  report('journeys', count, Date.now() - started, output)
}

/**
 * Ensures that the programs are there which the tests start; returns what to do if no Chromium can be installed. Where
 * another one is missing its tests are left out by name.
 */
function installPrograms(): string | undefined {
  installFromDistribution([
    missingChromium(),
    ...missingBalancers(),
    findPgBouncer() ? undefined : 'pgbouncer',
    findPromtool() ? undefined : 'prometheus',
    findSystemdAnalyze() ? undefined : 'systemd',
    ...missingFirefox(),
    ...missingWebKit(),
    ...missingFonts(),
  ])
  if (findChromium()) return undefined
  console.log("Installing Playwright's Chromium …")
  spawnSync(process.execPath, [join(root, 'node_modules/@playwright/test/cli.js'), 'install', 'chromium'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (findChromium()) return undefined
  return (
    'No Chromium was found and none could be installed. Install one, or name it: ' +
    'PLAYWRIGHT_CHROMIUM=/path/to/chromium npm test'
  )
}

/** Runs the jobs, at most `width` at a time. */
async function inTurns(jobs: (() => Promise<void>)[], width: number): Promise<void> {
  const waiting = [...jobs]
  const worker = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift()) await job()
  }
  await Promise.all(Array.from({ length: width }, worker))
}

interface CasesReport {
  rows: { violations: string[] }[]
  /** What this machine cannot try. */
  leftOut?: string[]
}
