/**
 * What failed, in a line or two each, for the end of a long run: the output above may be truncated, and a reader wants
 * the names first. Reads the JSON reports of vitest and Playwright.
 */

import { root } from './settings.ts'

/** Lines of an error that are kept. */
const LINES = 4

export interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults?: {
    name: string
    status?: string
    message?: string
    assertionResults: { fullName: string; status: string; failureMessages?: string[] | null }[]
  }[]
}

interface PlaywrightSpec {
  title: string
  ok: boolean
  tests: { results: { status: string; error?: { message?: string } }[] }[]
}

interface PlaywrightSuite {
  title: string
  suites?: PlaywrightSuite[]
  specs?: PlaywrightSpec[]
}

export interface PlaywrightReport {
  stats: { expected: number; unexpected: number }
  suites?: PlaywrightSuite[]
  errors?: { message?: string }[]
}

/** Failed tests of a vitest run, and files that could not be loaded. */
export function failedOfVitest({ testResults = [] }: VitestReport): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = withinProject(name)
    const failed = assertionResults.filter((one) => one.status === 'failed')
    if (failed.length === 0 && status === 'failed') return [entry(file, message)]
    return failed.map(({ fullName, failureMessages }) => entry(`${file} › ${fullName}`, failureMessages?.[0]))
  })
}

/** Tests that a vitest run skipped because something they need is missing on this machine. */
export function skippedOfVitest({ testResults = [] }: VitestReport): string[] {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'skipped' || status === 'pending')
      .map(({ fullName }) => `${withinProject(name)} › ${fullName}`),
  )
}

/** Failed journeys with their error, and errors outside of any test. */
export function failedOfPlaywright({ suites = [], errors = [] }: PlaywrightReport): string[] {
  const failed = specsOf(suites)
    .filter(({ spec }) => !spec.ok)
    .map(({ title, spec }) => {
      const result = spec.tests.flatMap(({ results }) => results).find(({ error }) => error)
      return entry(title, result?.error?.message)
    })
  return [...failed, ...errors.map(({ message }) => entry('outside of a test', message))]
}

/** Journeys that were skipped because something they need is missing on this machine. */
export function skippedOfPlaywright({ suites = [] }: PlaywrightReport): string[] {
  return specsOf(suites)
    .filter(({ spec }) => spec.tests.some(({ results }) => results.every(({ status }) => status === 'skipped')))
    .map(({ title }) => title)
}

/** Every test below these suites, with its file, its groups and its title in one line. */
function specsOf(suites: PlaywrightSuite[], path: string[] = []): { title: string; spec: PlaywrightSpec }[] {
  return suites.flatMap((suite) => {
    const here = [...path, suite.title].filter(Boolean)
    const own = (suite.specs ?? []).map((spec) => ({ title: [...here, spec.title].join(' › '), spec }))
    return [...own, ...specsOf(suite.suites ?? [], here)]
  })
}

const withinProject = (path: string): string => path.replace(`${root}/`, '')

function entry(title: string, message = ''): string {
  const plain = message.replace(/\u001b\[[0-9;]*m/g, '')
  const lines = plain.split('\n').filter((line) => line.trim() !== '')
  return [title, ...lines.slice(0, LINES).map((line) => `  ${line.trim().slice(0, 300)}`)].join('\n')
}
