/** haproxy in front of the units: its replicas and its drain are those of the table, its routes those of the site. */
import { haproxyFile } from '../../src/site/haproxy-file.ts'
import { DRAIN_SECONDS } from './programs.ts'
import { replicaPorts } from './units.ts'

export const CERTIFICATES = '/etc/haproxy/certs/'

export function balancerFile(): string {
  const file = haproxyFile({
    listen: { plain: ':80', secure: ':443', certificate: CERTIFICATES },
    servers: replicaPorts().map((port) => `127.0.0.1:${port}`),
    site: '127.0.0.1:8080',
    drainSeconds: DRAIN_SECONDS,
    user: 'haproxy',
  })
  return `# Written by "npm run ops:files" from scripts/deploy/programs.ts and the routing table.\n${file}`
}
