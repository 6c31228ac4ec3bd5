import type { AstroIntegration } from 'astro'

/** Brings `client:painted` (painted.directive.ts). */
export function paintedIslands(): AstroIntegration {
  return {
    name: 'painted-islands',
    hooks: {
      'astro:config:setup'({ addClientDirective }) {
        addClientDirective({ name: 'painted', entrypoint: new URL('./painted.directive.ts', import.meta.url).pathname })
      },
    },
  }
}

declare module 'astro' {
  interface AstroClientDirectives {
    'client:painted'?: boolean
  }
}
