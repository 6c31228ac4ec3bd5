import { existsSync } from 'node:fs'

/** The nginx of this machine, which the tests of the generated nginx.conf start; undefined where there is none. */
export const findNginx = (): string | undefined =>
  ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx'].find((path) => existsSync(path))
