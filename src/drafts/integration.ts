import type { AstroIntegration } from 'astro'

/** Whether this build is the draft deployment (K-04): the same pages, rendered on request. */
export const rendersDrafts = process.env['SITE_RENDER'] === 'drafts'

/** What the draft deployment has in addition to published pages: its middleware and its script on every page. */
export function drafts(): AstroIntegration {
  return {
    name: 'drafts',
    hooks: {
      'astro:config:setup'({ addMiddleware, injectScript }) {
        addMiddleware({ order: 'pre', entrypoint: new URL('./middleware.ts', import.meta.url) })
        injectScript('page', `import '/src/drafts/client.ts'`)
      },
    },
  }
}
