/** The built site says how everybody can use it, and leads there from every footer, also where no script runs. */
import { describe, expect, test } from 'vitest'
import { builtFolder, footersOf, pagesOf } from './built.ts'

const folder = builtFolder()

describe.skipIf(!folder)(
  `the built site${folder ? '' : ' (skipped: nothing is built; npm run build, or npm test)'}`,
  () => {
    const pages = folder ? pagesOf(folder) : []

    test('L-05 every page with a footer leads to the page about accessibility', () => {
      const footers = footersOf(pages)
      expect(footers.length).toBeGreaterThan(15)
      const without = footers.filter(({ foot }) => !/<a href="\/legal\/accessibility"[^>]*>/.test(foot))
      expect(without.map(({ shell }) => shell)).toEqual([])
    })

    test('G-01 that page says by which standard, what falls short, whom to write to and where to complain', () => {
      const html = pages.find(({ shell }) => shell === 'legal/accessibility')?.html ?? ''
      expect(html).toContain('WCAG')
      for (const heading of ['What falls short', 'Tell us', 'Complaints'])
        expect(html).toMatch(new RegExp(`<h2[^>]*>\\s*${heading}`))
      expect(html).toMatch(/<a href="mailto:[^"]+@/)
    })
  },
)
