import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { contentClient } from '../cms/connection.ts'

/**
 * A draft deployment on the internet is for editors only. The Presentation tool stores a short-lived secret in the
 * dataset and opens ENABLE_PATH with it (SANITY_STUDIO_PREVIEW_ENABLE of the Studio); a valid secret earns a cookie for
 * the working day. Only someone with a login for the project can create such a secret.
 */
export const ENABLE_PATH = '/_drafts/enable'
const COOKIE = '__Host-drafts'
/** Any address: only what follows it counts. */
const HERE = 'http://preview'
const SECRET_LIVES_SECONDS = 3600
const COOKIE_LIVES_SECONDS = 12 * 3600

export interface Lock {
  enable(request: IncomingMessage, response: ServerResponse): Promise<void>
  isOpen(request: IncomingMessage): boolean
  refuse(response: ServerResponse): void
}

export type IsValidSecret = (secret: string) => Promise<boolean>

/** `token`: what reads the drafts. Cookies are signed with it, so that restarts and other replicas accept them. */
export function createLock(
  studioOrigins: readonly string[],
  token: string,
  isValid: IsValidSecret = inDataset,
  now = Date.now,
): Lock {
  const key = Buffer.from(hkdfSync('sha256', token, '', 'cookie of the draft deployment', 32))
  const sign = (expires: string): string => createHmac('sha256', key).update(expires).digest('hex')
  return {
    async enable(request, response) {
      const { searchParams } = new URL(request.url ?? '/', HERE)
      const secret = searchParams.get('sanity-preview-secret') ?? ''
      const to = searchParams.get('sanity-preview-pathname') ?? '/'
      const valid = secret !== '' && (await isValid(secret).catch(unanswered))
      if (!valid) return void this.refuse(response)
      const expires = String(now() + COOKIE_LIVES_SECONDS * 1000)
      // shown in the Studio's frame, that is on another site: the cookie is partitioned by it
      const cookie =
        `${COOKIE}=${expires}.${sign(expires)}; Path=/; HttpOnly; Secure; SameSite=None; Partitioned; ` +
        `Max-Age=${COOKIE_LIVES_SECONDS}`
      response.writeHead(307, { 'Set-Cookie': cookie, Location: onThisSite(to), 'Cache-Control': 'no-store' }).end()
    },
    isOpen(request) {
      const value = new RegExp(`(?:^|;\\s*)${COOKIE}=(\\d+)\\.([0-9a-f]{64})(?:;|$)`).exec(request.headers.cookie ?? '')
      const [, expires, signature] = value ?? []
      if (!expires || !signature || Number(expires) < now()) return false
      return timingSafeEqual(Buffer.from(signature, 'hex'), Buffer.from(sign(expires), 'hex'))
    },
    refuse(response) {
      response.writeHead(401, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
      response.end(`Drafts are for editors. Open this page from the Studio: ${studioOrigins[0] ?? ''}\n`)
    },
  }
}

/** The path as a browser reads it, which leaves out tabs and line breaks; `/` for an address elsewhere. */
function onThisSite(to: string): string {
  const url = URL.parse(to, HERE)
  return url?.origin === HERE ? url.pathname.replace(/^\/+/, '/') + url.search + url.hash : '/'
}

/** An editor is refused as a stranger is: only this log knows that nothing was wrong with the secret. */
function unanswered(error: unknown): false {
  console.error(error)
  return false
}

/** Whether the Presentation tool's secret is in the dataset; it is invalid after an hour. */
async function inDataset(secret: string): Promise<boolean> {
  const query =
    `count(*[_type == "sanity.previewUrlSecret" && secret == $secret && dateTime(_updatedAt) > dateTime(now()) ` +
    `- ${SECRET_LIVES_SECONDS}]) > 0`
  return contentClient('raw').fetch<boolean>(query, { secret })
}
