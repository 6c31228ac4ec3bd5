import type { APIRoute } from 'astro'
import { getCheckout } from '../../cms/content.ts'

/**
 * C-08: the preview's file, copied from the content lake when the site is built, so that the page asks no other origin.
 */
export const GET: APIRoute = async () => {
  const { audioUrl } = await getCheckout()
  if (!audioUrl) return new Response(null, { status: 404 })
  const file = await fetch(audioUrl)
  if (!file.ok) throw new Error(`The checkout's audio preview could not be read: HTTP ${file.status}`)
  return new Response(await file.arrayBuffer(), { headers: { 'Content-Type': 'audio/mpeg' } })
}
