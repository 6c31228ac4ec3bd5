import express, { type Request, type Router } from 'express'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Limiter } from '../http/limits.ts'
import { sendPlainPage } from '../http/plain-page.ts'
import { isStillFor, readMailLink } from '../mail/mailed-links.ts'
import { UNSUBSCRIBED } from '../sessions/consents.queries.ts'
import { readerOf } from './reader.ts'

const WORDING = 'Unsubscribed with the link of a mail'

/**
 * C-11, RFC 8058: GET shows a page with one button, POST unsubscribes, including a mail program's one-click POST, which
 * comes from anywhere, as a form, without cookies. Works without JavaScript. Mounted before the JSON middleware.
 */
export function unsubscribeRoutes(router: Router, deps: Deps, limiter: Limiter): void {
  const path = '/api/unsubscribe/:token'
  const linkOf = (req: Request) => {
    const link = readMailLink(deps.config, 'unsubscribe', req.params['token'])
    // an old mail must still unsubscribe: the link does not expire
    return link.state === 'invalid' ? null : link
  }
  router.get(path, async (req, res) => {
    await limiter.consume('mailLink', req, readerOf(deps, req.params['token'] ?? ''))
    if (!linkOf(req)) return sendPlainPage(res, 404, 'This link is not complete', 'Please open it from the mail again.')
    sendPlainPage(
      res,
      200,
      'Unsubscribe?',
      'You will get no more reminders and offers from us. Mails about your orders still come.',
      '<form method="post"><button>Unsubscribe</button></form>',
    )
  })
  router.post(path, express.urlencoded({ extended: false, limit: 1024 }), async (req, res) => {
    await limiter.consume('mailLink', req, readerOf(deps, req.params['token'] ?? ''))
    const link = linkOf(req)
    if (!link) return sendPlainPage(res, 404, 'This link is not complete', 'Please open it from the mail again.')
    const session = await deps.db
      .selectFrom('sessions')
      .select(['id', 'email'])
      .where('id', '=', link.subject)
      .executeTakeFirst()
    // a visit with a new address sends nothing here any more, and this reader may not withdraw the consent given there
    if (session && (await isStillFor(deps.db, deps.config, link, session))) await withdrawMarketing(deps, session.id)
    sendPlainPage(res, 200, 'You are unsubscribed', 'You will get no more reminders and offers from us.')
  })
}

/** Takes the consent to marketing back for every visit with the address; appended, once. */
async function withdrawMarketing({ db }: Deps, sessionId: string): Promise<void> {
  await sql`
    insert into consents (session_id, kind, granted, wording, page)
    select s.id, 'marketing', false, ${WORDING}, ${UNSUBSCRIBED}
    from sessions s
    where (s.id = ${sessionId} or lower(s.email) = (select lower(email) from sessions where id = ${sessionId}))
      and ${UNSUBSCRIBED} is distinct from (select c.page from consents c
        where c.session_id = s.id and c.kind = 'marketing' order by c.id desc limit 1)`.execute(db)
}
