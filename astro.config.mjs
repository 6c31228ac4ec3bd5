import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import react from '@astrojs/react'
import sitemap from '@astrojs/sitemap'
import { defineConfig } from 'astro/config'

/** Where the site will stand, for canonical addresses and the sitemap. Without it both stay relative or are left out. */
const site = process.env.SITE_URL || undefined

const contentHosts = [
  'cdn.sanity.io',
  '127.0.0.1',
  'localhost',
  ...(process.env.SANITY_API_HOST ? [new URL(process.env.SANITY_API_HOST).hostname] : []),
]

/** Astro hashes what it bundles; a script that has to run before the first paint stays inline and is hashed here. */
function inlineScriptHash(path) {
  const text = readFileSync(new URL(path, import.meta.url), 'utf8')
  return /** @type {`sha256-${string}`} */ (`sha256-${createHash('sha256').update(text).digest('base64')}`)
}

export default defineConfig({
  ...(site ? { site } : {}),
  output: 'static',
  trailingSlash: 'ignore',
  compressHTML: true,
  build: {
    format: 'directory',
    // One page is one request for markup and styles: measured faster on a slow phone than a second round trip, and the
    // whole landing page stays under its 12 KB.
    inlineStylesheets: 'always',
  },
  devToolbar: { enabled: false },
  // Pictures of the content lake are copied into the build, so that a visitor's browser asks this site alone.
  image: { remotePatterns: contentHosts.map((hostname) => ({ hostname })) },
  integrations: [
    react(),
    ...(site
      ? [sitemap({ filter: (page) => !/\/(quiz|checkout|multi-upsell|user-creation|thank-you|404)/.test(page) })]
      : []),
  ],
  security: {
    csp: {
      directives: [
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
      ],
      scriptDirective: { hashes: [inlineScriptHash('./src/quiz/before-paint.js')] },
    },
  },
  vite: {
    build: {
      // Stripe's loader, session and views split by route; a warning at 500 kB would only ever name react-dom.
      chunkSizeWarningLimit: 600,
    },
  },
})
