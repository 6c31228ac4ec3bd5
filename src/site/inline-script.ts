/**
 * A script inside the page, for what has to run before the paint, or is too small for a request. Returns the text for
 * `<script is:inline set:html={…} />`; the policy's hash is made of the finished page (scripts/site-build.ts).
 */
export function inlineScript(code: string): string {
  // the end tag would close the element early
  return code.trim().replaceAll('</', '<\\/')
}
