/** Makes the image with buildah, from nothing: no base image, no registry, no daemon. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../settings.ts'
import { USER, writeContents } from './contents.ts'

/** Where the service listens in the image, unless PORT says otherwise. */
export const PORT = 4242

/** The programs that are missing on this machine, by Debian's names. */
export function missingPrograms(wanted: readonly string[]): string[] {
  return wanted.filter((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).error)
}

/** Of the commit that is checked out, or as SOURCE_DATE_EPOCH says where there is no repository. */
function source(): { epoch: number; revision: string } {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  const given = process.env['SOURCE_DATE_EPOCH']
  try {
    const changed = git('status', '--porcelain') ? '-changed' : ''
    return { epoch: Number(given ?? git('log', '-1', '--format=%ct')), revision: git('rev-parse', 'HEAD') + changed }
  } catch (error) {
    if (given) return { epoch: Number(given), revision: 'unknown' }
    throw new Error('No commit is checked out here: set SOURCE_DATE_EPOCH', { cause: error })
  }
}

interface Descriptor {
  digest: string
  size: number
}
export interface Image {
  /** Folder in OCI's image layout. */
  layout: string
  digest: string
  /** What its files take, unpacked. */
  bytes: number
}

/** Builds into `layout`, a folder in OCI's image layout, replacing what is there. */
export async function buildImage(layout: string): Promise<Image> {
  const { epoch, revision } = source()
  const scratch = mkdtempSync(join(tmpdir(), 'eye-image-'))
  // a store of its own: no image of this machine is touched, and none is left there
  const store = ['--root', join(scratch, 'store'), '--runroot', join(scratch, 'run'), '--storage-driver', 'vfs']
  const buildah = (...args: string[]) =>
    execFileSync('buildah', [...store, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, BUILDAH_ISOLATION: 'chroot' },
    }).trim()
  try {
    const contents = join(scratch, 'contents')
    mkdirSync(contents)
    await writeContents(contents, new Date(epoch * 1_000))
    const container = buildah('from', 'scratch')
    buildah('copy', '--quiet', '--chown', '0:0', container, contents, '/')
    buildah('config', ...settings(epoch, revision), container)
    rmSync(layout, { recursive: true, force: true })
    mkdirSync(dirname(layout), { recursive: true })
    buildah('commit', '--quiet', '--format', 'oci', '--timestamp', String(epoch), container, `oci:${layout}:latest`)
    return describe(layout)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function settings(epoch: number, revision: string): string[] {
  const { description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { description: string }
  const labels = {
    title: 'eye-funnel payments-service',
    description,
    revision,
    created: new Date(epoch * 1_000).toISOString(),
  }
  return [
    ...['--entrypoint', '["/usr/local/bin/node","/app/main.js"]', '--cmd', 'service'],
    ...['--user', `${USER}:${USER}`, '--workingdir', '/app', '--port', `${PORT}/tcp`, '--stop-signal', 'SIGTERM'],
    ...['--env', 'NODE_ENV=production', '--env', 'HOST=0.0.0.0', '--env', `PORT=${PORT}`],
    ...['--env', 'PATH=/usr/local/bin'],
    ...Object.entries(labels).flatMap(([name, text]) => ['--label', `org.opencontainers.image.${name}=${text}`]),
  ]
}

/** A file of the layout by its digest. */
export const blob = (layout: string, digest: string): string => join(layout, 'blobs', ...digest.split(':'))

/** What the layout's only image consists of. */
export function partsOf(layout: string): { manifest: Descriptor; config: Descriptor; layers: Descriptor[] } {
  const read = <Content>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as Content
  const [manifest] = read<{ manifests: Descriptor[] }>(join(layout, 'index.json')).manifests
  if (!manifest) throw new Error(`${layout} has no image`)
  return { manifest, ...read<{ config: Descriptor; layers: Descriptor[] }>(blob(layout, manifest.digest)) }
}

function describe(layout: string): Image {
  const { manifest, layers } = partsOf(layout)
  return { layout, digest: manifest.digest, bytes: layers.reduce((sum, { size }) => sum + size, 0) }
}
