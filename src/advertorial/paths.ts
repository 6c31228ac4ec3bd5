import type { AdvertorialContent } from '../../contract/content.ts'
import { belongsToSite } from '../../contract/site-routes.ts'

/**
 * V-03: the path of an advertorial as a route parameter (without its slash). Throws, naming document and field, when
 * the site itself uses that address.
 */
export function checkedPath({ id, path }: Pick<AdvertorialContent, 'id' | 'path'>): string {
  if (belongsToSite(path)) throw new Error(`${id} (advertorial), field path: "${path}" belongs to another page`)
  return path.slice(1)
}
