/** Part of `npm run ops:files`: writes units, the Compose file, haproxy.cfg and Kubernetes manifests into docs/ops. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { root } from '../settings.ts'
import { commandFile } from './command.ts'
import { composeFile } from './compose.ts'
import { balancerFile } from './balancer.ts'
import { manifestFiles } from './kubernetes.ts'
import { unitFiles } from './units.ts'

new Command('npm run ops:files').showHelpAfterError().parse()

const folder = join(root, 'docs', 'ops')
for (const [name, files] of Object.entries({ systemd: unitFiles(), kubernetes: manifestFiles() })) {
  rmSync(join(folder, name), { recursive: true, force: true })
  mkdirSync(join(folder, name), { recursive: true })
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, name, file), text)
}
writeFileSync(join(folder, 'systemd', 'eye-funnel'), commandFile(), { mode: 0o755 })
writeFileSync(join(folder, 'compose.yaml'), composeFile())
writeFileSync(join(folder, 'haproxy.cfg'), balancerFile())
console.log(`wrote ${folder}`)
