import { createDataAttribute } from '@sanity/visual-editing/create-data-attribute'
import type { ContentSource } from './connection.ts'

/** The value of `data-sanity` for a field of one document, or undefined (no attribute) in published pages. */
export type EditAttribute = (path: string) => string | undefined

/**
 * Click-to-edit (K-04): `const edit = editable(source, 'quiz', 'quiz')`, then
 * `data-sanity={edit('steps[_key=="email"].title')}`. Written only when rendering drafts, so that published pages
 * contain nothing of the Studio. `studioUrl` is SANITY_STUDIO_URL, the address where editors open the Studio.
 */
export function editable(
  { address, perspective }: ContentSource,
  id: string,
  type: string,
  studioUrl: string = (typeof process === 'undefined' ? undefined : process.env['SANITY_STUDIO_URL']) ??
    'http://localhost:3333',
): EditAttribute {
  if (perspective === 'published') return () => undefined
  const { projectId, dataset } = address
  return (path) => createDataAttribute({ baseUrl: studioUrl, projectId, dataset, id, type, path }).toString()
}
