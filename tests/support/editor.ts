/** An editor in the real Studio, with a desktop browser that can reach only loopback. */
import type { Browser, BrowserContext, FrameLocator, Locator, Page } from '@playwright/test'
import { expect, test as base } from './journey.ts'
import { type Stack, startStack } from './stack.ts'

/** A stack with the Studio, the preview of drafts and the publisher. */
export const test = base.extend<{ openStudio: () => Promise<Editor> }, { stack: Stack }>({
  stack: [
    async ({}, use) => {
      const stack = await startStack({ editors: true })
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  openStudio: async ({ browser, stack }, use) => {
    const opened: BrowserContext[] = []
    await use(async () => {
      const context = await loopbackOnly(browser)
      opened.push(context)
      return new Editor(await context.newPage(), stack)
    })
    for (const context of opened) await context.close()
  },
})

/**
 * The Studio fetches a font and its version from the internet; here nothing leaves the machine, as for an editor
 * offline.
 */
async function loopbackOnly(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false })
  await context.route(
    ({ hostname }) => !/^(127\.0\.0\.1|(.*\.)?localhost)$/.test(hostname),
    (route) => route.abort(),
  )
  return context
}

export class Editor {
  readonly page: Page
  readonly #stack: Stack
  constructor(page: Page, stack: Stack) {
    this.page = page
    this.#stack = stack
  }

  /**
   * Opens the Presentation tool over a page, once the page has reported its location to the Studio: earlier clicks are
   * lost.
   */
  async openPreview(path: string): Promise<FrameLocator> {
    await this.page.goto(`${this.#stack.studioUrl}/presentation?preview=${encodeURIComponent(path)}`)
    const frame = this.page.frameLocator('iframe')
    await this.page.waitForURL(/[?&]preview=http/, { timeout: 120_000 })
    return frame
  }

  /** Opens a document of the list by the ids of the structure: `openDocument('testimonial', 'testimonial-js')`. */
  async openDocument(...place: string[]): Promise<void> {
    await this.page.goto(`${this.#stack.studioUrl}/structure/${place.join(';')}`)
  }

  /** Opens one field, as a link in the Studio does. */
  async openField(type: string, id: string, path: string): Promise<void> {
    const intent = `id=${id};type=${type};path=${encodeURIComponent(path)}`
    await this.page.goto(`${this.#stack.studioUrl}/intent/edit/${intent}/`)
  }

  /** Changes documents without the Studio, as an import or another program does. */
  async mutate(...mutations: object[]): Promise<void> {
    const answer = await this.#lake('data/mutate/production', { data: { mutations } })
    if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`)
  }

  async read(id: string): Promise<unknown> {
    const answer = await this.#lake(`data/doc/production/${id}`)
    return ((await answer.json()) as { documents: unknown[] }).documents[0]
  }

  #lake(path: string, options: { data?: object } = {}) {
    const { lakeUrl, secrets } = this.#stack
    const headers = { Authorization: `Bearer ${secrets.lakeToken}` }
    const method = options.data ? 'POST' : 'GET'
    return this.page.request.fetch(`${lakeUrl}/v2026-03-01/${path}`, { method, headers, ...options })
  }

  get publishButton(): Locator {
    return this.page.getByTestId('action-publish')
  }

  /** Publishes and waits until the content lake has it. */
  async publish(): Promise<void> {
    await this.publishButton.click()
    await expect(this.page.getByText('Last published just now')).toBeVisible({ timeout: 60_000 })
  }

  field(name: string): Locator {
    return this.page.getByTestId(`field-${name}`)
  }
}
