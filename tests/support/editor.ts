/** An editor in the real Studio, with a desktop browser that can reach only loopback. */
import { isDeepStrictEqual } from 'node:util'
import type { Browser, BrowserContext, FrameLocator, Locator, Page } from '@playwright/test'
import { expect, test as base } from './journey.ts'
import { type Stack, startStack } from './stack.ts'

type Documents = ReadonlyMap<string, { _id: string }>

/**
 * A stack with the Studio, the preview of drafts and the publisher. Journeys share it one after the other, so each
 * finds the sample's content: what the one before left in the lake is put back, and the site shows it again.
 */
export const test = base.extend<
  { openStudio: () => Promise<Editor>; restored: void },
  { stack: Stack; sample: Documents }
>({
  stack: [
    async ({}, use) => {
      const stack = await startStack({ editors: true })
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  sample: [async ({ stack }, use) => use(await documentsOf(stack)), { scope: 'worker' }],
  // automatic, so it is taken down last: no Studio is open that could write once more
  restored: [
    async ({ stack, sample }, use) => {
      await use()
      await restore(stack, sample)
    },
    { auto: true },
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

/** What editors write, drafts and versions included, without what the lake or a program writes by itself. */
async function documentsOf(stack: Stack): Promise<Documents> {
  const lines = (await (await askLake(stack, 'data/export/production')).text()).trim().split('\n')
  const written = lines
    .map((line) => JSON.parse(line) as { _id: string } & Record<string, unknown>)
    .filter(({ _id }) => !/^(_\.|site\.|image-|file-)/.test(_id))
    .map(({ _rev, _updatedAt, _createdAt, ...document }) => document)
  return new Map(written.map((document) => [document._id, document]))
}

/** Puts back every document that differs from the sample, and waits until the site shows what is published then. */
async function restore(stack: Stack, sample: Documents): Promise<void> {
  const left = await documentsOf(stack)
  const changed = [...sample.values()].filter((document) => !isDeepStrictEqual(document, left.get(document._id)))
  const added = [...left.keys()].filter((id) => !sample.has(id))
  const mutations = [
    ...changed.map((document) => ({ createOrReplace: document })),
    ...added.map((id) => ({ delete: { id } })),
  ]
  if (mutations.length === 0) return
  const at = Date.now()
  const answer = await askLake(stack, 'data/mutate/production', { mutations })
  if (!answer.ok) throw new Error(`not restored: ${answer.status} ${await answer.text()}`)
  if (changed.length === 0 && added.every((id) => /^(drafts|versions)\./.test(id))) return
  await expect
    .poll(
      async () => {
        const status = (await (await fetch(stack.publisherUrl)).json()) as Record<string, string | null>
        return status['state'] === 'live' && !status['building'] && Date.parse(status['at'] ?? '') > at
      },
      { timeout: 120_000, message: 'the site shows the sample again' },
    )
    .toBe(true)
}

const askLake = ({ lakeUrl, secrets }: Stack, path: string, body?: object): Promise<Response> =>
  fetch(`${lakeUrl}/v2026-03-01/${path}`, {
    headers: { Authorization: `Bearer ${secrets.lakeToken}`, 'Content-Type': 'application/json' },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
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

  /**
   * Opens a field by a click on its words in the preview. A page that is still loading may lose the first click: the
   * browser sends none where the element under the pointer was replaced meanwhile. An editor clicks again.
   */
  async openByClick(words: Locator, name: string): Promise<Locator> {
    const input = this.field(name).getByRole('textbox')
    await expect(async () => {
      await words.click()
      await expect(input).toBeFocused({ timeout: 15_000 })
    }).toPass({ timeout: 60_000 })
    return input
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
    const answer = await askLake(this.#stack, 'data/mutate/production', { mutations })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  }

  async read(id: string): Promise<unknown> {
    const answer = await askLake(this.#stack, `data/doc/production/${id}`)
    return ((await answer.json()) as { documents: unknown[] }).documents[0]
  }

  get publishButton(): Locator {
    return this.page.getByTestId('action-publish')
  }

  /** Publishes and waits until the content lake has it. */
  async publish(): Promise<void> {
    const answered = this.page.waitForResponse(
      (answer) => /\/data\/(actions|mutate)\//.test(answer.url()) && /publish/.test(answer.request().postData() ?? ''),
      { timeout: 120_000 },
    )
    await this.publishButton.click()
    expect((await answered).status()).toBe(200)
    // "just now" stands for ten seconds only
    await expect(this.page.getByText(/Last published (just now|.*\b(sec|min))/)).toBeVisible({ timeout: 120_000 })
  }

  field(name: string): Locator {
    return this.page.getByTestId(`field-${name}`)
  }
}
