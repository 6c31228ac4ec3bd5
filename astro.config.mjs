import node from '@astrojs/node'
import react from '@astrojs/react'
import sitemap from '@astrojs/sitemap'
import { defineConfig, logHandlers, passthroughImageService } from 'astro/config'
import { drafts, rendersDrafts } from './src/drafts/integration.ts'
import { paintedIslands } from './src/site/painted-islands.ts'
import { standaloneScripts } from './src/site/standalone-script.ts'
import { contentWatch } from './src/cms/content-watch.ts'
import { canonicalEntry, inSitemap } from './src/site/sitemap.ts'
import { steadyPictures } from './src/site/steady-pictures.ts'

/** `astro build`; else its development server. */
const building = process.argv.includes('build')

/**
 * Where the site will stand, for canonical addresses and the sitemap. Without it both stay relative or are left out.
 */
const site = process.env.SITE_URL || undefined

if (!rendersDrafts) steadyPictures(process.env.SANITY_API_HOST)

/** Where pictures are fetched from: the content lake as it is configured, and no other address, port or scheme. */
const contentOrigins = ['https://cdn.sanity.io', 'http://lake.localhost', process.env.SANITY_API_HOST || undefined]
const picturePatterns = contentOrigins
  .filter((origin) => origin !== undefined)
  .map((origin) => new URL(origin))
  .map(({ protocol, hostname, port }) => ({ protocol: protocol.slice(0, -1), hostname, port }))

const inStorage = /session\/(storage|keys|visit-keys)\.ts/
// An article's page script needs this alone: in a file with the quiz's rules it would cost a reader 6 KB.
const isLoader = /vite\/preload-helper/
const inQuiz =
  /quiz\/((Quiz|quiz\.store|quiz|world|steps|useAtom)\.tsx?|steps\/(Welcome|Question|Iris|StepButton|StepTitle)\.tsx)/
// what speaks with the service, without any view: the scripts of public pages bring nothing else
const inWire =
  /session\/(id|client|http|attribution)\.ts|tracking\/data-layer\.ts|contract\/(api|attribution|event-id)\.ts/
const inFunnel =
  /checkout\/(usePageSession|useHere|Terms|terms-text|checkout|Unreachable)\.tsx?|ui\/(Notice|TextField|Accordion|RotatingQuotes|Stars)\.tsx|session\/page-session\.ts|tracking\/tracking\.ts|contract\/(catalogue|money|placeholders)\.ts/
const inBase =
  /(\/nanostores\/|node_modules\/react\/(jsx-runtime|cjs|index)|contract\/(quiz|email)\.ts|session\/(answers|outbox|outbox-store)\.ts|ui\/(Button|Spinner|Progress|CheckField)\.tsx)/

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
    // whole landing page stays under its 12 KB.
    inlineStylesheets: 'always',
  },
  devToolbar: { enabled: false },
  // Pictures of the content lake are copied into the build, so that a visitor's browser asks this site alone.
  image: {
    // The draft deployment copies nothing: its pages name the lake's own pictures, and no
    // endpoint fetches for a visitor.
    ...(rendersDrafts ? { service: passthroughImageService() } : { remotePatterns: picturePatterns }),
  },
  integrations: [
    react(),
    contentWatch(),
    paintedIslands(),
    ...(site && !rendersDrafts ? [sitemap({ filter: inSitemap, serialize: canonicalEntry })] : []),
    ...(rendersDrafts ? [drafts()] : []),
  ],
  vite: {
    define: { 'import.meta.env.SITE_DRAFTS': JSON.stringify(rendersDrafts) },
    plugins: [
      standaloneScripts(),
      {
        name: 'no-optimized-dependencies',
        // Before a build Astro starts a development server for a moment; what that would make
        // for a browser nobody asks for.
        configResolved: (config) => {
          if (!building) return
          for (const environment of Object.values(config.environments)) environment.optimizeDeps.include = []
        },
      },
      {
        name: 'api-without-documentation',
        // The summaries of the API's rows are for /api/openapi.json; in every visitor's browser they would only weigh.
        enforce: 'pre',
        applyToEnvironment: ({ name }) => name === 'client',
        transform: (code, id) =>
          /contract\/(api|members)\.ts$/.test(id)
            ? {
                code: code.replace(/(\bendpoint<[^(]*\(\s*'[A-Z]+',\s*'[^']+',\s*)'(?:[^'\\]|\\.)*'/g, "$1''"),
                map: null,
              }
            : undefined,
      },
      {
        name: 'no-preload-lists',
        // The quiz fetches its later screens while the visitor reads; lists of what to preload
        // would only weigh on the first.
        configEnvironment: (name) =>
          name === 'client'
            ? { build: { modulePreload: { polyfill: false, resolveDependencies: () => [] } } }
            : undefined,
        // and without lists, what would read them is 600 bytes on every page for nothing
        enforce: 'pre',
        load: (id) =>
          id.includes('vite/preload-helper') ? 'export const __vitePreload = (load) => load()' : undefined,
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
                  { name: 'load', test: isLoader, priority: 4 },
                  { name: 'storage', test: inStorage, priority: 3 },
                  { name: 'wire', test: inWire, priority: 2 },
                  { name: 'base', test: inBase, priority: 1 },
                  { name: 'funnel', test: inFunnel, priority: 0 },
                  { name: 'first-question', test: inQuiz, priority: 0 },
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
