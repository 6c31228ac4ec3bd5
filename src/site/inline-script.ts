/**
 * A script inside the page, for what has to run before the first paint or is too small for a request. Returns the text
 * for `<script is:inline set:html={…} />`; the build recognises it by its mark (build-mark.ts) and adds its hash to the
 * page's policy.
 */
export function inlineScript(code: string): string {
  // the end tag would close the element early
  return code.trim().replaceAll('</', '<\\/')
}
