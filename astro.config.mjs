import react from '@astrojs/react'
import sitemap from '@astrojs/sitemap'
import { defineConfig } from 'astro/config'
import { standaloneScripts } from './src/site/standalone-script.ts'
import { canonicalEntry, inSitemap } from './src/site/sitemap.ts'

/** Where the site will stand, for canonical addresses and the sitemap. Without it both stay relative or are left out. */
const site = process.env.SITE_URL || undefined

const contentHosts = [
  'cdn.sanity.io',
  '127.0.0.1',
  'localhost',
  ...(process.env.SANITY_API_HOST ? [new URL(process.env.SANITY_API_HOST).hostname] : []),
]

const inStorage = /session\/(storage|keys|visit-keys)\.ts/
const inBase =
  /(vite\/preload-helper|nanostores|react\/(jsx-runtime|cjs|index)|contract\/(quiz|email)\.ts|session\/(answers|outbox|outbox-store)\.ts|ui\/(Button|Spinner|Progress|CheckField)\.tsx)/

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
  integrations: [react(), ...(site ? [sitemap({ filter: inSitemap, serialize: canonicalEntry })] : [])],
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
    },
  },
  vite: {
    plugins: [
      standaloneScripts(),
      {
        name: 'no-preload-lists',
        // The quiz fetches its later screens while the visitor reads; lists of what to preload would only weigh on the first.
        configEnvironment: (name) =>
          name === 'client'
            ? { build: { modulePreload: { polyfill: false, resolveDependencies: () => [] } } }
            : undefined,
      },
    ],
    environments: {
      client: {
        build: {
          rolldownOptions: {
            // What nearly every island shares, in one file instead of ten: fewer requests, better compression.
            output: {
              codeSplitting: {
                groups: [
                  { name: 'storage', test: inStorage, priority: 3 },
                  { name: 'base', test: inBase, priority: 1 },
                ],
              },
            },
          },
        },
      },
    },
    build: {
      // Stripe's loader, session and views split by route; a warning at 500 kB would only ever name react-dom.
      chunkSizeWarningLimit: 600,
    },
  },
})
