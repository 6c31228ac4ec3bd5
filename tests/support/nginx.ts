import { spawn, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Certificate, type Killable, startKillable } from './started.ts'

/** The nginx of this machine, which the tests of the generated nginx.conf start; undefined where there is none. */
export const findNginx = (): string | undefined =>
  ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx'].find((path) => existsSync(path))

/**
 * Starts nginx with the generated file `block` on this port; `place` is an empty folder that nginx may read. Throws
 * with what nginx says when it refuses the file.
 */
export async function startNginx(
  block: string,
  { place, port, tls }: { place: string; port: number; tls?: Certificate },
): Promise<Killable> {
  const nginx = findNginx()
  if (!nginx) throw new Error('nginx is not installed here')
  const secure = tls ? ` ssl; ssl_certificate ${tls.certificate}; ssl_certificate_key ${tls.key};` : ';'
  writeFileSync(join(place, 'site.conf'), block.replace('listen 8080;', `listen 127.0.0.1:${port}${secure}`))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(place, name)};`)
    .join(' ')
  const types = existsSync('/etc/nginx/mime.types') ? 'include /etc/nginx/mime.types; ' : ''
  const file = join(place, 'nginx.conf')
  // as root its workers would run as a user who may not read the folder
  const user = process.getuid?.() === 0 ? 'user root; ' : ''
  writeFileSync(
    file,
    `${user}daemon off; pid ${join(place, 'nginx.pid')}; error_log ${join(place, 'main.log')};
events {} http { ${types}access_log off; ${temporary} include ${join(place, 'site.conf')}; }\n`,
  )
  const { stderr } = spawnSync(nginx, ['-t', '-c', file], { encoding: 'utf8' })
  if (!stderr.includes('test is successful')) throw new Error(stderr)
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`
  return startKillable(url, port, () => spawn(nginx, ['-c', file], { stdio: 'ignore' }))
}
