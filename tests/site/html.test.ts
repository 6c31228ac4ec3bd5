/** The markup of the built site conforms to the standard (html-validate). */
import { HtmlValidate } from 'html-validate'
import { describe, expect, test } from 'vitest'
import { builtFolder, pagesOf } from './built.ts'

const folder = builtFolder()

const validator = new HtmlValidate({
  extends: ['html-validate:standard', 'html-validate:a11y'],
  // islands are Astro's custom elements and are allowed anywhere
  elements: [
    'html5',
    {
      'astro-island': { flow: true, phrasing: true, transparent: true },
      'astro-slot': { flow: true, phrasing: true, transparent: true },
    },
  ],
  rules: {
    // React writes it this way; both spellings mean the same element
    'void-style': 'off',
    'no-trailing-whitespace': 'off',
    'long-title': 'off',
    // a concern of the front door's headers, not of the markup
    'require-sri': 'off',
  },
})

async function problemsOf(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results
    .flatMap(({ messages }) => messages)
    .map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector ?? ''})`)
}

test('the validator sees what a browser forgives', async () => {
  const page = (inside: string) =>
    `<!doctype html><html lang="en"><head><title>x</title></head><body>${inside}</body></html>`
  expect(await problemsOf(page('<p>fine</p>'))).toEqual([])
  for (const wrong of [
    '<p><div></div></p>',
    '<i id="a"></i><i id="a"></i>',
    '<img src="/a.png">',
    '<button><a href="/">x</a></button>',
  ]) {
    expect(await problemsOf(page(wrong)), wrong).not.toEqual([])
  }
})

describe.skipIf(!folder)(
  `the markup${folder ? '' : ' (skipped: nothing is built; npm run build, or npm test)'}`,
  () => {
    for (const { shell, html } of folder ? pagesOf(folder) : []) {
      test(`V-01 G-01 /${shell} is valid`, async () => {
        expect(await problemsOf(html)).toEqual([])
      })
    }
  },
)
