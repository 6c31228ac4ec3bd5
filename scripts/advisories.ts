/**
 * `npm run advisories`: known vulnerabilities of the packages in the lockfile. Asks the registry that npm is configured
 * for (the endpoint of `npm audit`). Where that does not answer, reads the answer kept with `-- --save`, prints its
 * date, and warns when it is older than 90 days or does not cover a locked version. Exits with 1 when a vulnerability
 * of severity high or worse is not excepted by name, with 2 when nothing is known.
 */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Command } from 'commander'
import { Range, satisfies } from 'semver'
import { z } from 'zod'
import { messageOf } from '../db/command.ts'
import { lockedPackages, nameOf } from './licences.ts'
import { root } from './settings.ts'

/** An advisory as the registry's bulk endpoint returns it. */
export interface Advisory {
  /** Address of the advisory; its last part is the id (GHSA-…). */
  url: string
  title: string
  severity: string
  /** Range of semver. */
  vulnerable_versions: string
}

/** Package → its advisories. */
export type Advisories = Readonly<Record<string, readonly Advisory[]>>

/** Package → versions. */
export type Versions = Readonly<Record<string, readonly string[]>>

/** A request to the endpoint and its answer, each as sent. */
export interface Kept {
  /** When the registry gave it, ISO 8601. */
  askedAt: string
  asked: Versions
  advisories: Advisories
}

/** A vulnerability that we accept, for a reason and until a day. */
export interface Exception {
  id: string
  package: string
  reason: string
  /** Last day on which it holds, `YYYY-MM-DD`. */
  until: string
}

/** An advisory that affects a locked version. */
export interface Finding {
  package: string
  version: string
  id: string
  title: string
  severity: string
  /** The first version without the vulnerability, or what is known about it. */
  fix: string
}

export const EXCEPTIONS: readonly Exception[] = []
/** The severities that docs/security.md says are mended within days; the rest waits for the next update. */
const GRAVE: ReadonlySet<string> = new Set(['high', 'critical'])
const KEPT = join(root, 'scripts', 'advisories.json')
const PATIENCE = 20_000
/** An older answer means little: updates are monthly (docs/security.md). */
const OLDEST_DAYS = 90
const RENEW = 'Where the registry can be asked: npm run advisories -- --save'

/** Package → versions of the lockfile. */
export function lockedVersions(): Map<string, string[]> {
  const found = new Map<string, Set<string>>()
  for (const [folder, { name, version }] of lockedPackages()) {
    const of = name ?? nameOf(folder)
    if (version) found.set(of, (found.get(of) ?? new Set()).add(version))
  }
  return new Map([...found].map(([name, versions]) => [name, [...versions]]))
}

const holds = (range: string, version: string): boolean => satisfies(version, range, { includePrerelease: true })

/** Every advisory that affects one of these versions, the most severe first. */
export function findingsOf(advisories: Advisories, locked: ReadonlyMap<string, readonly string[]>): Finding[] {
  const order = ['critical', 'high', 'moderate', 'low']
  const found = Object.entries(advisories).flatMap(([name, of]) =>
    of.flatMap(({ url, title, severity, vulnerable_versions }) =>
      (locked.get(name) ?? [])
        .filter((version) => holds(vulnerable_versions, version))
        .map((version) => {
          const id = url.split('/').at(-1) ?? url
          return { package: name, version, id, title, severity, fix: fixOf(vulnerable_versions, version) }
        }),
    ),
  )
  return found.sort((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity))
}

/** The upper end of the part of a range that contains the version. */
function fixOf(range: string, version: string): string {
  const part = range.split('||').find((one) => holds(one, version)) ?? range
  const ends = new Range(part).set.flat()
  const below = ends.find(({ operator }) => operator === '<')
  if (below) return below.semver.version
  const last = ends.find(({ operator }) => operator === '<=')
  return last ? `newer than ${last.semver.version}` : 'none yet'
}

/** What must not remain: severe and not excepted on this day (`YYYY-MM-DD`). */
export function refusedOf(findings: readonly Finding[], exceptions: readonly Exception[], day: string): Finding[] {
  const excepted = ({ id, package: name }: Finding) =>
    exceptions.some((one) => one.id === id && one.package === name && one.reason.trim() !== '' && one.until >= day)
  return findings.filter((finding) => GRAVE.has(finding.severity) && !excepted(finding))
}

const answers = z.record(
  z.string(),
  z.array(z.object({ url: z.string(), title: z.string(), severity: z.string(), vulnerable_versions: z.string() })),
)
const keptAnswer = z.object({
  askedAt: z.iso.datetime(),
  asked: z.record(z.string(), z.array(z.string())),
  advisories: answers,
})

/** The registry's answer about these packages. Throws an Error with the reason when there is none. */
export async function askRegistry(registry: string, locked: ReadonlyMap<string, string[]>): Promise<Advisories> {
  const url = new URL('-/npm/v1/security/advisories/bulk', registry.endsWith('/') ? registry : `${registry}/`)
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(locked)),
    signal: AbortSignal.timeout(PATIENCE),
  })
  // a mirror may hand out packages and have nothing at this address
  if (!answer.ok) throw new Error(`POST ${url.pathname}: ${answer.status} ${answer.statusText}`.trim())
  const { data, success } = answers.safeParse(await answer.json())
  if (!success) throw new Error('what answers is no list of advisories')
  return data
}

/** fetch itself says only that it failed; the reason is in its causes. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  const own = error.message || code || error.name
  return error.cause === undefined ? own : `${own}: ${reasonOf(error.cause)}`
}

async function configuredRegistry(): Promise<string> {
  const cli = process.env['npm_execpath']
  const [command, before] = cli ? [process.execPath, [cli]] : ['npm', []]
  const { stdout } = await promisify(execFile)(command, [...before, 'config', 'get', 'registry'], { cwd: root })
  return stdout.trim()
}

/** The answer kept in a file. Throws an Error that names what is wrong with it. */
export function readKept(file: string): Kept {
  try {
    return keptAnswer.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw new Error(`${file} is no kept answer: ${why}`, { cause: error })
  }
}

/** Locked versions that a request did not ask about, so its answer does not cover them. */
export function notAsked(asked: Versions, locked: ReadonlyMap<string, readonly string[]>): string[] {
  return [...locked].flatMap(([name, versions]) =>
    versions.filter((version) => !asked[name]?.includes(version)).map((version) => `${name} ${version}`),
  )
}

export interface CheckOptions {
  registry: string
  kept?: string
  save?: boolean
  exceptions?: readonly Exception[]
  now?: Date
  say: (line: string) => void
}

/** The whole command; returns its exit code: 0 nothing severe, 1 something severe, 2 nothing is known. */
export async function checkAdvisories(options: CheckOptions): Promise<0 | 1 | 2> {
  const { registry, kept = KEPT, exceptions = EXCEPTIONS, now = new Date(), say } = options
  const locked = lockedVersions()
  let advisories: Advisories
  try {
    advisories = await askRegistry(registry, locked)
    say(`Asked the registry about ${locked.size} packages.`)
    if (options.save) {
      const answer: Kept = { askedAt: now.toISOString(), asked: Object.fromEntries(locked), advisories }
      writeFileSync(kept, `${JSON.stringify(answer, null, 2)}\n`)
    }
  } catch (error) {
    say(`The registry ${registry} cannot be asked: ${reasonOf(error)}.`)
    if (!existsSync(kept)) {
      say(`No earlier answer is kept, so nothing is known. ${RENEW}`)
      return 2
    }
    let earlier: Kept
    try {
      earlier = readKept(kept)
    } catch (unreadable) {
      say(`${messageOf(unreadable)}\nSo nothing is known. ${RENEW}`)
      return 2
    }
    const days = Math.floor((now.getTime() - Date.parse(earlier.askedAt)) / 86_400_000)
    const day = earlier.askedAt.slice(0, 10)
    say(`Read the answer of ${day} instead, ${days} days old: what became known since is not in it.`)
    if (days > OLDEST_DAYS) say(`WARNING: it is older than ${OLDEST_DAYS} days. ${RENEW}`)
    const missing = notAsked(earlier.asked, locked)
    if (missing.length > 0) {
      say(
        `WARNING: it says nothing about ${missing.length} locked versions: ` +
          `${missing.slice(0, 20).join(', ')}. ${RENEW}`,
      )
    }
    advisories = earlier.advisories
  }
  const findings = findingsOf(advisories, locked)
  const refused = new Set(refusedOf(findings, exceptions, now.toISOString().slice(0, 10)))
  for (const finding of findings) {
    const { package: name, version, id, title, severity, fix } = finding
    const mark = refused.has(finding) ? 'NOT ALLOWED' : 'known'
    say([mark, severity, `${name} ${version}`, id, `fixed in: ${fix}`, title].join('  '))
  }
  say(`${findings.length} known faults, ${refused.size} not allowed.`)
  return refused.size > 0 ? 1 : 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { save = false } = new Command('npm run advisories --')
    .description('Known vulnerabilities of the locked packages; fails on high and critical ones.')
    .option('--save', 'keeps the answer of the registry, for where it cannot be asked')
    .showHelpAfterError()
    .parse()
    .opts<{ save?: boolean }>()
  process.exitCode = await checkAdvisories({
    registry: await configuredRegistry(),
    save,
    say: (line) => void process.stdout.write(`${line}\n`),
  })
}
