import { build } from 'esbuild'
import type { Plugin } from 'vite'
import { BUILD_TARGETS } from './oldest-browsers.ts'

const SUFFIX = '?standalone'

/**
 * `import code from './landing.ts?standalone'`: a browser script and everything it imports as one minified text, for
 * inline-script.ts. Shared chunks are split for the islands; a page without islands would load four files for two
 * kilobytes.
 */
export function standaloneScripts(): Plugin {
  return {
    name: 'standalone-scripts',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(SUFFIX)) return undefined
      const entry = id.slice(0, -SUFFIX.length)
      const { outputFiles, metafile } = await build({
        entryPoints: [entry],
        bundle: true,
        minify: true,
        format: 'esm',
        target: BUILD_TARGETS,
        write: false,
        metafile: true,
        // the one constant that shared code asks for (astro.config.mjs)
        define: { 'import.meta.env.SITE_DRAFTS': JSON.stringify(process.env['SITE_RENDER'] === 'drafts') },
      })
      for (const input of Object.keys(metafile.inputs)) this.addWatchFile(input)
      return `export default ${JSON.stringify(outputFiles[0]?.text ?? '')}`
    },
  }
}
