import { createHash } from 'node:crypto'
import { dirname, join, relative } from 'node:path'
import { root } from '../settings.ts'

/**
 * Where Astro makes the build of this folder. It works in the checkout, where it finds packages, and moves files from
 * there, which no system does across mounts; each folder that a unit may write to is one. So what is for elsewhere is
 * built here and copied.
 */
export function workplaceOf(folder: string): string {
  const place = createHash('sha256').update(dirname(folder)).digest('hex').slice(0, 16)
  return relative(root, folder).startsWith('..') ? join(root, '.astro', `built-${place}`) : folder
}
