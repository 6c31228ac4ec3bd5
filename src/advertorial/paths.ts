import type { AdvertorialContent } from '../../contract/content.ts'
import { resolve } from '../site/routes.ts'

/** First segments that belong to files and pages of the site itself. */
const TAKEN = ['404', '500', 'og', '_astro', 'legal']

/**
 * V-03: the path of an advertorial as a route parameter (without its slash). Throws, naming document and field, when
 * the routing table or a page of the site already uses that address.
 */
export function checkedPath({ id, path }: Pick<AdvertorialContent, 'id' | 'path'>): string {
  const parameter = path.slice(1)
  const free = resolve(path, '', () => false).kind === 'file' && !TAKEN.includes(parameter.split('/')[0] ?? '')
  if (!free) throw new Error(`${id} (advertorial), field path: "${path}" belongs to another page`)
  return parameter
}
