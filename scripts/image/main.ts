/**
 * `npm run image`: the image of the service; with `-- --check` it is also run as in production, by tests/image.
 */
import { join } from 'node:path'
import { Command } from 'commander'
import { runTool } from '../processes.ts'
import { root } from '../settings.ts'
import { buildImage, missingPrograms } from './build.ts'

const { check = false } = new Command('npm run image --')
  .description("The image of the service, in OCI's layout, into .data/image/.")
  .option('--check', 'builds it twice and runs it as in production')
  .showHelpAfterError()
  .parse()
  .opts<{ check?: boolean }>()
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
