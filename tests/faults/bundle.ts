/** The service as one file: it is started thousands of times here, and most of a start is spent on reading modules. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { root } from '../../scripts/settings.ts'

/** Every module keeps its own URL: some read files beside them, some check whether they are the main program. */
const addresses: Plugin = {
  name: 'addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.[mc]?[jt]s$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8')
      if (!code.includes('import.meta.url')) return undefined
      const contents = code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
      return { contents, loader: path.endsWith('ts') ? 'ts' : 'js' }
    })
  },
}

/**
 * Bundles `payments-service/main.ts` and all its imports except packages with native parts. The code itself is
 * unchanged, so the run tests this checkout. Returns the path of the file.
 */
export async function bundleService(): Promise<string> {
  const folder = join(root, 'node_modules/.cache/faults')
  mkdirSync(folder, { recursive: true })
  const outfile = join(folder, `service-${process.pid}.mjs`)
  await build({
    entryPoints: [join(root, 'payments-service/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    external: ['@node-rs/*', 'pg-native'],
    plugins: [addresses],
    logLevel: 'error',
    // CommonJS packages in the bundle find `require` here
    banner: {
      js:
        `import { createRequire } from 'node:module'; const require = ` +
        `createRequire(${JSON.stringify(pathToFileURL(join(root, 'payments-service/main.ts')).href)});`,
    },
  })
  return outfile
}
