/**
 * A script inside the page, for what has to run before the paint, or is too small for a request. Returns the text for
 * `<script is:inline set:html={…} />`; the build puts its hash into the page's policy by its mark (build-mark.ts).
 */
export function inlineScript(code: string): string {
  // the end tag would close the element early
  return code.trim().replaceAll('</', '<\\/')
}
