import { existsSync } from 'node:fs'

/** Prometheus' own checker, of Debian's package `prometheus`; undefined where there is none. */
export const findPromtool = (): string | undefined =>
  ['/usr/bin/promtool', '/usr/local/bin/promtool'].find((path) => existsSync(path))
