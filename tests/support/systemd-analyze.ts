import { existsSync } from 'node:fs'

/** systemd's checker of units, of Debian's package `systemd`; undefined where there is none. */
export const findSystemdAnalyze = (): string | undefined =>
  ['/usr/bin/systemd-analyze', '/bin/systemd-analyze'].find((path) => existsSync(path))
