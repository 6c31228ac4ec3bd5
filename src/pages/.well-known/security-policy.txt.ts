import type { APIRoute } from 'astro'
import policy from '../../../SECURITY.md?raw'

/** How to report a security fault and what to expect: SECURITY.md of the repository. */
export const GET: APIRoute = () => new Response(policy, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
