/**
 * `npm run mutants`: breaks the rules of money and quiz in small ways, one at a time, and checks whether their own
 * tests notice. Fails on a file below {@link LEAST}.
 */
import { relative } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { Argument, Command } from 'commander'
import { type Group, GROUPS } from './rules.ts'

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

/** Percentage of a file's mutants that must be detected. */
const LEAST = 85

const all = Object.values(GROUPS).flatMap(({ files }) => files)
const { args: asked } = new Command('npm run mutants --')
  .description('Breaks the rules of money and quiz in small ways and checks whether their own tests notice.')
  .addArgument(new Argument('[files...]', 'only these').choices(all))
  .showHelpAfterError()
  .parse()

async function mutate({ tests, files, constants = false }: Group): Promise<MutantResult[]> {
  process.env['MUTANT_TESTS'] = tests.join(' ')
  return new Stryker({
    mutate: [...files],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'tests/mutants/vitest.config.ts' },
    coverageAnalysis: 'perTest',
    ignoreStatic: !constants,
    ignorePatterns: ['dist', '.data', '.astro', 'test-results', 'playwright-report', 'studio/dataset/assets', 'docs'],
    tempDirName: '.data/mutants',
    // surviving mutants, with their lines
    reporters: ['clear-text'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
    concurrency: 2,
    timeoutMS: 20_000,
  }).runMutationTest()
}

const results: MutantResult[] = []
for (const group of Object.values(GROUPS)) {
  const files = group.files.filter((file) => asked.length === 0 || asked.includes(file))
  if (files.length > 0) results.push(...(await mutate({ ...group, files })))
}

let failed = 0
for (const file of [...new Set(results.map(({ fileName }) => fileName))].sort()) {
  const of = (...statuses: MutantResult['status'][]): number =>
    results.filter(({ fileName, status }) => fileName === file && statuses.includes(status)).length
  const noticed = of('Killed', 'Timeout')
  const valid = noticed + of('Survived', 'NoCoverage')
  const score = valid === 0 ? 100 : (noticed / valid) * 100
  if (score < LEAST) failed += 1
  console.log(`${score.toFixed(1).padStart(6)} %  ${String(noticed).padStart(4)} of ${valid}  ${relative('.', file)}`)
}
console.log(`${failed} of these files below ${LEAST} %`)
process.exitCode = failed > 0 ? 1 : 0
