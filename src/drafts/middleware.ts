import type { MiddlewareHandler } from 'astro'
import { contentAddress, ContentUnreachable } from '../cms/connection.ts'
import { ContentError } from '../cms/content-error.ts'
import { layersOf, recording } from '../cms/recorded.ts'
import { draftFields } from './fields.ts'
import { PERSPECTIVE_HEADER, troublePage } from './trouble-page.ts'

/** What the page's own script needs: where the Studio is, and which field each text comes from. */
export interface DraftData {
  projectId: string
  dataset: string
  studioUrl: string
  fields: ReturnType<typeof draftFields>
}
export const DRAFT_DATA_ID = 'draft-data'

/**
 * Every page of the draft deployment: rendered from drafts, with the fields it shows; a draft that cannot be shown
 * explains why.
 */
export const onRequest: MiddlewareHandler = async ({ request }, next) => {
  try {
    const { result, read } = await recording(
      async () => {
        const response = await next()
        const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false
        // read to the end here, so that what a page requests while streaming is recorded too
        return { response, html: isPage ? await response.text() : undefined }
      },
      layersOf(request.headers.get(PERSPECTIVE_HEADER)),
    )
    const { response, html } = result
    if (html === undefined) return response
    return new Response(withData(html, read), { status: response.status, headers: response.headers })
  } catch (error) {
    if (error instanceof ContentError) return page(422, troublePage(error.issues))
    if (error instanceof ContentUnreachable) return page(503, troublePage([], error.message))
    throw error
  }
}

function withData(html: string, read: readonly unknown[]): string {
  const { projectId, dataset } = contentAddress()
  const studioUrl = process.env['SANITY_STUDIO_URL'] ?? 'http://localhost:3333'
  const data: DraftData = { projectId, dataset, studioUrl, fields: draftFields(read) }
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return (
    html
      // the preview's answers depend on which page asks (preview-session.ts)
      .replace(/<meta name="referrer"[^>]*>/, '<meta name="referrer" content="same-origin">')
      .replace(
        '</body>',
        () => `<script type="application/json" id="${DRAFT_DATA_ID}" data-drafts-own>${json}</script></body>`,
      )
  )
}

function page(status: number, html: string): Response {
  return new Response(html, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })
}
