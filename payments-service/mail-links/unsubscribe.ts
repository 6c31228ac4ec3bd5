import express, { type Request, type Response, type Router } from 'express'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Limiter } from '../http/limits.ts'
import { verifyLink } from '../mail/links.ts'

const WORDING = 'Unsubscribed with the link of a mail'

/**
 * C-11, RFC 8058: GET shows a page with one button, POST unsubscribes: also the mail program's own one-click POST, which
 * comes from anywhere, as a form, without cookies. Works without JavaScript. Mounted before the JSON middleware.
 */
export function unsubscribeRoutes(router: Router, deps: Deps, limiter: Limiter): void {
  const path = '/api/unsubscribe/:token'
  const sessionOf = (req: Request): string | null => {
    const link = verifyLink(req.params['token'], 'unsubscribe', deps.config.tokenSecret)
    // an old mail still unsubscribes: a way out does not run out
    return link.state === 'invalid' ? null : link.subject
  }
  router.get(path, async (req, res) => {
    await limiter.consume('open', req)
    if (!sessionOf(req)) return answer(res, 404, 'This link is not complete', 'Please open it from the mail again.')
    answer(
      res,
      200,
      'Unsubscribe?',
      'You will get no more reminders and offers from us. Mails about your orders still come.',
      '<form method="post"><button>Unsubscribe</button></form>',
    )
  })
  router.post(path, express.urlencoded({ extended: false, limit: 1024 }), async (req, res) => {
    await limiter.consume('open', req)
    const sessionId = sessionOf(req)
    if (!sessionId) return answer(res, 404, 'This link is not complete', 'Please open it from the mail again.')
    await withdrawMarketing(deps, sessionId)
    answer(res, 200, 'You are unsubscribed', 'You will get no more reminders and offers from us.')
  })
}

/** Takes the consent to marketing back for every visit with the address; appended, once. */
async function withdrawMarketing({ db }: Deps, sessionId: string): Promise<void> {
  await sql`
    insert into consents (session_id, kind, granted, wording, page)
    select s.id, 'marketing', false, ${WORDING}, 'unsubscribe'
    from sessions s
    where (s.id = ${sessionId} or lower(s.email) = (select lower(email) from sessions where id = ${sessionId}))
      and coalesce((select c.granted from consents c where c.session_id = s.id and c.kind = 'marketing'
        order by c.id desc limit 1), true)`.execute(db)
}

const STYLE =
  'body{margin:0;font:400 1.125rem/1.55 system-ui,sans-serif;color:#0b1b33}main{max-width:30rem;margin:0 auto;padding:3rem 1rem}h1{font-size:1.75rem;line-height:1.2}button{min-height:3.5rem;width:100%;border:0;border-radius:14px;background:#1a75ff;color:#fff;font:700 1.1875rem/1.25 system-ui,sans-serif}:focus-visible{outline:3px solid #0b57d0;outline-offset:3px}'

function answer(res: Response, status: number, title: string, text: string, form = ''): void {
  res
    .status(status)
    .setHeader(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    ) // prettier-ignore
    .setHeader('Cache-Control', 'no-store')
    .setHeader('X-Robots-Tag', 'noindex')
    .type('html')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1><p>${text}</p>${form}</main></body></html>`,
    )
}
