import type { APIRoute } from 'astro'
import { allAdvertorials } from '../../advertorial/all.ts'
import { coverName, drawCover, drawLegal } from '../../site/share-picture.ts'

/** Open Graph pictures: one for the legal pages, one for every cover of an advertorial. */
export async function getStaticPaths() {
  const covers = new Map<string, string>()
  for (const { cover } of await allAdvertorials()) if (cover) covers.set(coverName(cover), cover.url)
  return [
    { params: { name: 'legal' }, props: {} },
    ...[...covers].map(([name, url]) => ({ params: { name }, props: { url } })),
  ]
}

export const GET: APIRoute<{ url?: string }> = async ({ params, props }) => {
  const url = props.url ?? (await coverOf(params['name']))
  if (!url && params['name'] !== 'legal') return new Response(null, { status: 404 })
  const picture = url ? await drawCover(await fetchPicture(url)) : await drawLegal()
  return new Response(new Uint8Array(picture), { headers: { 'content-type': 'image/jpeg' } })
}

async function coverOf(name: string | undefined): Promise<string | undefined> {
  if (name === 'legal') return undefined
  return (await allAdvertorials()).find(({ cover }) => cover && coverName(cover) === name)?.cover?.url
}

async function fetchPicture(url: string): Promise<Uint8Array> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(30_000) })
  if (!answer.ok) throw new Error(`the picture ${url} answers ${answer.status}`)
  return new Uint8Array(await answer.arrayBuffer())
}
