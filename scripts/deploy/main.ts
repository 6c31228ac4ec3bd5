/** Part of `npm run ops:files`: writes the units, the Compose file and haproxy.cfg into docs/ops. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../settings.ts'
import { composeFile } from './compose.ts'
import { balancerFile } from './balancer.ts'
import { unitFiles } from './units.ts'

const folder = join(root, 'docs', 'ops')
const units = join(folder, 'systemd')
rmSync(units, { recursive: true, force: true })
mkdirSync(units, { recursive: true })
for (const [name, text] of Object.entries(unitFiles())) writeFileSync(join(units, name), text)
writeFileSync(join(folder, 'compose.yaml'), composeFile())
writeFileSync(join(folder, 'haproxy.cfg'), balancerFile())
console.log(`wrote ${units}, compose.yaml and haproxy.cfg beside them`)
