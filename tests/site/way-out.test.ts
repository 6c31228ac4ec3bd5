/** The built site leads out of a contract from every footer, also where no script runs. */
import { describe, expect, test } from 'vitest'
import { builtFolder, footersOf, pagesOf } from './built.ts'

const folder = builtFolder()

describe.skipIf(!folder)(
  `the built site${folder ? '' : ' (skipped: nothing is built; npm run build, or npm test)'}`,
  () => {
    const pages = folder ? pagesOf(folder) : []

    test('H-02 H-04 every footer links the page that cancels and withdraws without a sign-in', () => {
      const footers = footersOf(pages)
      expect(footers.length).toBeGreaterThan(15)
      const without = footers.filter(({ foot }) => !/<a href="\/exit"[^>]*>\s*Cancel or withdraw\s*<\/a>/.test(foot))
      expect(without.map(({ shell }) => shell)).toEqual([])
    })

    test('G-02 T-01 every footer links the privacy page, beside the place of the privacy choices', () => {
      const without = footersOf(pages).filter(
        ({ foot }) => !/<a href="\/legal\/privacy"[^>]*>\s*Privacy\s*<\/a>[\s\S]*data-privacy-choices/.test(foot),
      )
      expect(without.map(({ shell }) => shell)).toEqual([])
    })

    test('H-04 without scripts the page still says where to write', () => {
      const html = pages.find(({ shell }) => shell === 'exit')?.html ?? ''
      expect(/<noscript>([\s\S]*?)<\/noscript>/.exec(html)?.[1]).toMatch(
        /To cancel without it, write\s+to[\s\S]*mailto:/,
      )
      expect(html).toContain('Email address of the purchase')
      const [form = ''] = /<form[^>]*>/.exec(html) ?? []
      expect(form).toContain('method="post"')
      expect(form).toContain('action="/api/exit/form"')
    })
  },
)
