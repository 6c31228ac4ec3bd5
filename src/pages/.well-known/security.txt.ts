import type { APIRoute } from 'astro'
import { getSettings } from '../../cms/content.ts'
import { securityTxt } from '../../site/security-txt.ts'

/** Whom to tell about a security fault (RFC 9116): the contact of the settings. */
export const GET: APIRoute = async ({ site }) => {
  const { contactEmail } = await getSettings()
  const text = securityTxt({ email: contactEmail, site, builtAt: new Date() })
  return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}
