import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'

/** `client:painted` (painted.directive.ts). */
export const paintedDirective = {
  name: 'painted',
  entrypoint: fileURLToPath(new URL('./painted.directive.ts', import.meta.url)),
} as const

/** Brings `client:painted`. */
export function paintedIslands(): AstroIntegration {
  return {
    name: 'painted-islands',
    hooks: {
      'astro:config:setup'({ addClientDirective }) {
        addClientDirective(paintedDirective)
      },
    },
  }
}

declare module 'astro' {
  interface AstroClientDirectives {
    /** 'listed': its files are listed in the head, because nothing of it is in the page (preload-islands.ts). */
    'client:painted'?: boolean | 'listed'
  }
}
