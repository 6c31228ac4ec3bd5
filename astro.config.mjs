import node from '@astrojs/node'
import react from '@astrojs/react'
import sitemap from '@astrojs/sitemap'
import { defineConfig, logHandlers, passthroughImageService } from 'astro/config'
import { Features } from 'lightningcss'
import { drafts, rendersDrafts } from './src/drafts/integration.ts'
import { paintedIslands } from './src/site/painted-islands.ts'
import { standaloneScripts } from './src/site/standalone-script.ts'
import { contentWatch } from './src/cms/content-watch.ts'
import { BUILD_TARGETS } from './src/site/oldest-browsers.ts'
import { canonicalEntry, inSitemap } from './src/site/sitemap.ts'
import { steadyPictures } from './src/site/steady-pictures.ts'

/** `astro build`; else its development server. */
const building = process.argv.includes('build')

/**
 * The site's future address, for canonical addresses and the sitemap. Without it both stay relative or are left out.
 */
const site = process.env.SITE_URL || undefined

if (!rendersDrafts) steadyPictures(process.env.SANITY_API_HOST)

/** Where pictures are fetched from: the content lake as it is configured, and no other address, port or scheme. */
const contentOrigins = ['https://cdn.sanity.io', 'http://lake.localhost', process.env.SANITY_API_HOST || undefined]
const picturePatterns = contentOrigins
  .filter((origin) => origin !== undefined)
  .map((origin) => new URL(origin))
  .map(({ protocol, hostname, port }) => ({ protocol: protocol.slice(0, -1), hostname, port }))

export default defineConfig({
  ...(site ? { site } : {}),
  // SITE_RENDER=drafts: the same pages rendered on request from drafts, for the Studio's preview (src/drafts)
  ...(rendersDrafts ? { output: 'server', adapter: node({ mode: 'middleware' }) } : { output: 'static' }),
  // a build that fails ends with its reason, not with a list of the pages that succeeded;
  // thousands of lines take their time
  ...(building ? { logger: logHandlers.node({ level: 'warn' }) } : {}),
  trailingSlash: 'ignore',
  compressHTML: true,
  build: {
    format: 'directory',
    // writing a page is mostly waiting for the disk: one at a time, a build of 5,000 articles waited half of its time
    concurrency: 8,
    // One page is one request for markup and styles: measured faster on a slow phone than a second round trip, and the
    // whole landing page stays under its 13 KB.
    inlineStylesheets: 'always',
  },
  devToolbar: { enabled: false },
  // Pictures of the content lake are copied into the build, so that a visitor's browser asks this site alone.
  image: {
    // The draft deployment copies nothing: its pages name the lake's own pictures, and no
    // endpoint fetches for a visitor.
    ...(rendersDrafts
      ? { service: passthroughImageService() }
      : // from the root, because the names of the copies depend on it
        { service: { entrypoint: '/src/site/still-pictures.ts' }, remotePatterns: picturePatterns }),
  },
  integrations: [
    react(),
    contentWatch(),
    paintedIslands(),
    ...(site && !rendersDrafts ? [sitemap({ filter: inSitemap, serialize: canonicalEntry })] : []),
    ...(rendersDrafts ? [drafts()] : []),
  ],
  vite: {
    // every text alone in its element, for browsers that translate (src/ui/translatable)
    oxc: { jsx: { importSource: '#translatable' } },
    define: { 'import.meta.env.SITE_DRAFTS': JSON.stringify(rendersDrafts) },
    plugins: [
      standaloneScripts(),
      {
        name: 'no-optimized-dependencies',
        // Before a build Astro starts a development server for a moment; what that would make
        // for a browser that is not a target.
        configResolved: (config) => {
          if (!building) return
          for (const environment of Object.values(config.environments)) environment.optimizeDeps.include = []
        },
      },
      {
        name: 'no-preload-lists',
        // The quiz fetches its later screens while the visitor reads; lists of what to preload
        // would only weigh on the first.
        configEnvironment: (name) =>
          name === 'client'
            ? {
                build: {
                  // Astro's own is whatever the newest browser knows
                  target: BUILD_TARGETS,
                  modulePreload: { polyfill: false, resolveDependencies: () => [] },
                  // An island may export what only its own later parts import: no file of its own for that.
                  // Here, because Astro takes nothing but `output` from its own settings.
                  rolldownOptions: { preserveEntrySignatures: 'allow-extension' },
                },
              }
            : undefined,
        // Vite has no setting for it: a dynamic import without such a list is wrapped all the same, in a helper that
        // each page would have to fetch before it has loaded
        enforce: 'pre',
        load: (id) =>
          id.includes('vite/preload-helper') ? 'export const __vitePreload = (load) => load()' : undefined,
      },
    ],
    environments: {
      client: {
        build: {
          rolldownOptions: {
            output: {
              // what most islands share, in one file; everything else, and the bundler's own modules, by who imports it
              codeSplitting: { groups: [{ name: 'shared', minShareCount: 15, test: (id) => !id.startsWith('\0') }] },
            },
          },
        },
      },
    },
    // one look, light: `color-scheme` needs no polyfill of light-dark() beside it, 60 bytes on the page of the quiz
    css: { lightningcss: { exclude: Features.LightDark } },
    build: {
      cssTarget: BUILD_TARGETS,
      // Stripe's loader, session and views split by route; a warning at 500 kB would only ever name react-dom.
      chunkSizeWarningLimit: 600,
    },
  },
})
