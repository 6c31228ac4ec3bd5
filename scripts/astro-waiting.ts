/**
 * Loads Astro and all that the site's configuration asks for, then waits to hear what to build: loading is a third
 * of the sample's build, so a publisher has it done beforehand (astro-build.ts).
 */
import { join } from 'node:path'
import { root } from './settings.ts'

/** What is built: where to, and under which mark. */
export interface Order {
  outDir: string
  mark: string
}

// nothing else keeps it waiting (lifeline.mjs)
process.channel?.ref()
const order = new Promise<Order>((told) => process.once('message', told))
await Promise.all([import('astro'), import('astro/config'), import('@astrojs/react'), import('@astrojs/sitemap')])
const { outDir, mark } = await order
process.env['BUILD_MARK'] = mark
const astro = join(root, 'node_modules/astro/bin/astro.mjs')
process.argv = [process.execPath, astro, 'build', '--outDir', outDir]
await import(astro)
