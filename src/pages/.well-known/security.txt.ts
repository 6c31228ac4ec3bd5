import type { APIRoute } from 'astro'
import { getSettings } from '../../cms/content.ts'
import { securityTxt } from '../../site/security-txt.ts'

/** Where to report a security fault (RFC 9116): the contact from the settings. */
export const GET: APIRoute = async ({ site }) => {
  const { contactEmail } = await getSettings()
  const text = securityTxt({ email: contactEmail, site, builtAt: new Date() })
  return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}
