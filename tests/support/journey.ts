/**
 * Playwright's `test` for journeys: a stack per worker, a page that fails the test on any trouble it would not
 * otherwise notice (console errors, page errors, failed requests, API answers that break the contract, including those
 * a test mocks), and `axe` for accessibility. A test declares the trouble that it provokes first: `await
 * expectTrouble(/402/)`.
 */
import { expect, type Response, test as base } from '@playwright/test'
import { checkAnswer } from './answers.ts'
import { accessibilityFaults } from './axe.ts'
import { type Stack, startStack } from './stack.ts'

interface JourneyFixtures {
  /** Declares the trouble that this test provokes: every pattern must occur, and nothing else may. */
  expectTrouble: (...patterns: RegExp[]) => void
  /** Fails when the page in its present state breaks WCAG 2.2 A or AA, or shows a placeholder (K-02). */
  axe: () => Promise<void>
  watched: void
}

interface JourneyWorker {
  stack: Stack
  /**
   * A file that sets a name here gets its own worker, and so its own stack: for journeys that move the sandbox's clock.
   */
  ownStack: string
  /** Added to the service's environment by `test.use({ serviceEnv: … })`; a file that sets it gets its own stack. */
  serviceEnv: Record<string, string>
}

/**
 * P-06: a shop that offers a trial by PayPal with nothing to pay today. One object, by which Playwright sees that
 * files ask for the same stack.
 */
export const FREE_PAYPAL_TRIAL = { PAYPAL_TRIAL: 'free' }

/** The stack alone, for journeys in a browser that is not Playwright's. */
export const withStack = base.extend<object, JourneyWorker>({
  ownStack: ['', { option: true, scope: 'worker' }],
  serviceEnv: [{}, { option: true, scope: 'worker' }],
  stack: [
    async ({ serviceEnv }, use) => {
      const stack = await startStack({ env: serviceEnv })
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

export const test = withStack.extend<JourneyFixtures & { troublePatterns: RegExp[] }>({
  baseURL: async ({ stack }, use) => use(stack.url),
  troublePatterns: async ({}, use) => use([]),
  expectTrouble: async ({ troublePatterns }, use) => use((...patterns) => void troublePatterns.push(...patterns)),
  watched: [
    async ({ context, stack, troublePatterns }, use, info) => {
      const trouble: string[] = []
      context.on('console', (message) => {
        if (message.type() === 'error') trouble.push(`console: ${message.text()} (${message.location().url})`)
      })
      context.on('weberror', (error) => trouble.push(`page error: ${error.error().stack ?? error.error().message}`))
      context.on('requestfailed', (request) => {
        const reason = request.failure()?.errorText ?? ''
        // Leaving a page aborts what it was fetching; that is not a failure.
        if (reason !== 'net::ERR_ABORTED') trouble.push(`request: ${request.method()} ${request.url()} ${reason}`)
      })
      context.on('response', (response) => {
        if (response.status() >= 400) {
          trouble.push(`response: ${response.status()} ${response.request().method()} ${response.url()}`)
        }
      })
      const answers: Promise<void>[] = []
      context.on('response', (response) => {
        if (response.url().startsWith(`${stack.url}/api/`)) answers.push(checkContract(response, trouble))
      })
      await use()
      await Promise.all(answers)
      const unexpected = trouble.filter((line) => !troublePatterns.some((pattern) => pattern.test(line)))
      const missing = troublePatterns.filter((pattern) => !trouble.some((line) => pattern.test(line)))
      if (unexpected.length || info.status !== info.expectedStatus) {
        await info.attach('logs', { body: stack.logs(), contentType: 'text/plain' })
      }
      expect(unexpected, 'trouble in the browser that the test did not declare').toEqual([])
      expect(missing.map(String), 'trouble that was declared and did not happen').toEqual([])
    },
    { auto: true },
  ],
  axe: async ({ page }, use) => {
    await use(async () => {
      expect(await accessibilityFaults(page), 'accessibility').toEqual([])
      expect(await page.locator('body').innerText(), 'a placeholder that nobody filled').not.toMatch(/\{[A-Za-z]+\}/)
    })
  },
})

/** Adds to `trouble` when an answer does not have its endpoint's shape; only JSON bodies are checked. */
async function checkContract(response: Response, trouble: string[]): Promise<void> {
  const body: unknown = await Promise.race([
    response.json().catch(() => undefined),
    // the body of a response is gone once its page is left
    new Promise<undefined>((give) => setTimeout(give, 5_000, undefined).unref()),
  ])
  if (body === undefined) return
  try {
    checkAnswer(response.request().method(), new URL(response.url()).pathname, response.status(), body)
  } catch (error) {
    trouble.push(`contract: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export { expect }

/** For tests that ask for a desktop: `test.use(desktop)`. */
export const desktop = { viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false }
