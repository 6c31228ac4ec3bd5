import { expect, test } from 'vitest'
import { failedOfPlaywright, failedOfVitest, skippedOfPlaywright, skippedOfVitest } from './failed-tests.ts'
import { root } from './settings.ts'

test('the end of a run names every failed test and every file that could not be loaded', () => {
  expect(
    failedOfVitest({
      numPassedTests: 1,
      numFailedTests: 1,
      testResults: [
        {
          name: `${root}/tests/service/a.test.ts`,
          assertionResults: [
            { fullName: 'paying holds', status: 'passed' },
            {
              fullName: 'paying twice',
              status: 'failed',
              failureMessages: ['\u001b[31mexpected 1\u001b[39m\n\nto be 2\nat x\nat y\nat z'],
            },
          ],
        },
        { name: `${root}/db/b.test.ts`, status: 'failed', message: 'no such module', assertionResults: [] },
      ],
    }),
  ).toEqual([
    'tests/service/a.test.ts › paying twice\n  expected 1\n  to be 2\n  at x\n  at y',
    'db/b.test.ts\n  no such module',
  ])
})

test('a test that was left out is named, not only counted', () => {
  const assertionResults = [
    { fullName: 'a page behind nginx', status: 'skipped' },
    { fullName: 'paying holds', status: 'passed' },
  ]
  expect(
    skippedOfVitest({
      numPassedTests: 1,
      numFailedTests: 0,
      testResults: [{ name: `${root}/tests/site/nginx.test.ts`, assertionResults }],
    }),
  ).toEqual(['tests/site/nginx.test.ts › a page behind nginx'])
})

test('a failed journey is named with its file and its error, a skipped one with its file', () => {
  const failing = {
    title: 'pays',
    ok: false,
    tests: [{ results: [{ status: 'failed', error: { message: 'declined' } }] }],
  }
  const skipped = { title: 'waits', ok: true, tests: [{ results: [{ status: 'skipped' }] }] }
  const passing = { title: 'looks', ok: true, tests: [{ results: [{ status: 'passed' }] }] }
  const report = {
    stats: { expected: 1, unexpected: 1 },
    suites: [{ title: 'checkout.spec.ts', suites: [{ title: 'a card', specs: [failing, skipped, passing] }] }],
    errors: [{ message: 'no browser' }],
  }
  expect(failedOfPlaywright(report)).toEqual([
    'checkout.spec.ts › a card › pays\n  declined',
    'outside of a test\n  no browser',
  ])
  expect(skippedOfPlaywright(report)).toEqual(['checkout.spec.ts › a card › waits'])
})
