/**
 * `npm run image`: the image of the service, in OCI's layout, into `.data/image/`. With `-- --check` it is built twice
 * and run as in production, by tests/image.
 */
import { join } from 'node:path'
import { runTool } from '../processes.ts'
import { root } from '../settings.ts'
import { buildImage, missingPrograms } from './build.ts'

const check = process.argv.includes('--check')
const missing = missingPrograms(check ? ['buildah', 'runc'] : ['buildah'])
if (missing.length > 0) {
  console.error(`Missing here: ${missing.join(', ')}. On Debian and Ubuntu: apt-get install ${missing.join(' ')}`)
  process.exit(2)
}
if (check) {
  const { ok, output } = await runTool([join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'image'])
  console.log(output)
  process.exit(ok ? 0 : 1)
}
const { layout, digest, bytes } = await buildImage(join(root, '.data', 'image'))
console.log(`${layout}  ${digest}  ${Math.round(bytes / 1e6)} MB`)
