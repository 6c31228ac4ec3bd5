import { expect, test } from 'vitest'
import { failedOfPlaywright, failedOfVitest, skippedOfVitest } from './failed-tests.ts'
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

test('a failed journey is named with its file and the error of its last try', () => {
  const failing = {
    title: 'pays',
    ok: false,
    tests: [
      {
        results: [
          { status: 'failed', error: { message: 'first' } },
          { status: 'failed', error: { message: 'second' } },
        ],
      },
    ],
  }
  const passing = { title: 'looks', ok: true, tests: [{ results: [{ status: 'passed' }] }] }
  expect(
    failedOfPlaywright({
      stats: { expected: 1, unexpected: 1, flaky: 0 },
      suites: [{ title: 'checkout.spec.ts', suites: [{ title: 'a card', specs: [failing, passing] }] }],
      errors: [{ message: 'no browser' }],
    }),
  ).toEqual(['checkout.spec.ts › a card › pays\n  second', 'outside of a test\n  no browser'])
})
