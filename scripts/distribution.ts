/** Programs of others that tests start: from the distribution, where this machine is a Debian and we may install. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Installs the packages that are named. What cannot be installed stays away: its tests are left out by name. */
export function installFromDistribution(wanted: readonly (string | undefined)[]): void {
  const packages = wanted.filter((one) => one !== undefined)
  if (packages.length === 0 || !existsSync('/etc/debian_version') || process.getuid?.() !== 0) return
  console.log(`Installing ${packages.join(' and ')} from the distribution …`)
  // at run level 1 an installed server is not started
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const apt = (...args: string[]) => spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env })
  apt('update', '-qq')
  for (const one of packages) apt('install', '-y', '-qq', '--no-install-recommends', one)
}
