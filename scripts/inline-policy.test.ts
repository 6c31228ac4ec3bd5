import { expect, test } from 'vitest'
import { frameworkScripts, inlineHashes, inlinePolicy } from './inline-policy.ts'

test('inline scripts and styles are hashed for the policy; data blocks and linked scripts are not', () => {
  const found = inlineHashes(
    '<style>a{}</style><script type="module">one()</script><script src="/x.js"></script>' +
      '<script type="application/ld+json">{}</script><script>one()</script>',
  )
  expect(found.scripts).toEqual(["'sha256-HR7iaask9daLMRRskMI++QeJtjWDOjyPA6lGzYGzKW4='"])
  expect(found.styles).toHaveLength(1)
})

test('N-02 a page names the scripts of our templates and of Astro, and loses the marks', async () => {
  const framework = await frameworkScripts()
  expect(framework.size).toBeGreaterThan(3)
  const [island = ''] = [...framework].filter((text) => text.includes('customElements'))
  const page =
    `<script data-of-build="m1" type="module">one()</script><script>${island}</script><script ` +
    `src="/x.js"></script>`
  const { html, hashes } = inlinePolicy(page, { mark: 'm1', framework })
  expect(html).toBe(page.replace(' data-of-build="m1"', ''))
  expect(hashes.scripts).toHaveLength(2)
})

test('N-02 a script that came with content is in no policy: the build says so', () => {
  const known = { mark: 'm1', framework: new Set(['astro()']) }
  for (const script of [
    '<script>steal()</script>',
    '<script data-of-build="guess">steal()</script>',
    '<SCRIPT\ntype="module">steal()</SCRIPT>',
    '<script>astro();steal()</script>',
  ]) {
    expect(() => inlinePolicy(`<p>words</p>${script}`, known)).toThrow('An inline script that no template wrote: "')
  }
})
