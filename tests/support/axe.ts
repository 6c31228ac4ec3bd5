/** What axe finds wrong with a page by WCAG 2.2, A and AA. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const source = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)
const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * One line a violation, with the elements' HTML. The scan runs inside the page and is loaded into a document once: by
 * default axe compiles itself three times a scan and merges the results of frames in another tab, which took 1.7 s of
 * CPU instead of 0.3. `within`: only what a selector finds. Our pages have no frames; throws when one does, because axe
 * would not see what is in it.
 */
export async function accessibilityFaults(page: Page, within = 'html'): Promise<string[]> {
  const frames = page.frames().filter((frame) => frame !== page.mainFrame())
  if (frames.length) throw new Error(`axe does not look into frames: ${frames.map((frame) => frame.url()).join(', ')}`)
  const { violations } = await new AxeBuilder({ page, axeSource: `if (!window.axe) { ${source} }` })
    .include(within)
    .setLegacyMode()
    .options({ runOnly: LEVELS, resultTypes: ['violations'] })
    .analyze()
  return violations.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map((node) => node.html).join('\n  ')}`)
}
