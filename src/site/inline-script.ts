import { createHash } from 'node:crypto'
import type { AstroGlobal } from 'astro'

/**
 * A script inside the page, allowed by its hash: for what has to run before the paint, or is too small for a request.
 * Call it in the frontmatter of the page itself: the policy stands in the head, which is written before any component
 * of the body runs. Returns the text for `<script is:inline set:html={…} />`.
 */
export function inlineScript(astro: Pick<AstroGlobal, 'csp'>, code: string): string {
  // the end tag would close the element early
  const text = code.trim().replaceAll('</', '<\\/')
  // the draft deployment has one policy for all its pages
  if (!import.meta.env.SITE_DRAFTS)
    astro.csp?.insertScriptHash(`sha256-${createHash('sha256').update(text).digest('base64')}`)
  return text
}
