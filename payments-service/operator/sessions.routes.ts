import { UUID } from '../../contract/uuid.ts'
import type { Deps } from '../deps.ts'
import { contextOf } from '../http/context.ts'
import { AppError } from '../http/errors.ts'
import { cancelSubscription } from '../subscriptions/cancel.ts'
import { type Action, fields, type Page, show, visitOf } from './entry.ts'
import { sessionsPage, storyPage } from './sessions.pages.ts'

/** The latest visits, those of an address, one visit's whole story, and its subscription cancelled for the buyer. */
export function sessionsRoutes(page: Page, action: Action, deps: Deps): void {
  page('/operator', 'Sessions', '/operator', ({ formToken }) => sessionsPage(deps, formToken))
  // a form, because an address in a URL would be kept in histories and logs (OWASP ASVS 5.0, 14.2.1)
  action('/operator', async (signed) => {
    const search = fields(signed.req)['search']?.trim()
    await show(deps, signed, 'Sessions', '/operator', await sessionsPage(deps, signed.formToken, search))
  })
  page('/operator/sessions/:sessionId', 'One session', '/operator', ({ req, formToken }) =>
    storyPage(deps, visitOf(req), formToken),
  )
  action('/operator/subscriptions/:id/cancel', async ({ req, res }) => {
    const id = String(req.params['id'])
    if (!UUID.test(id) || fields(req)['sure'] !== 'yes') throw new AppError('not_found')
    const row = await deps.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) throw new AppError('not_found')
    await cancelSubscription(deps, row, contextOf(req).deadline)
    deps.wake('outbox')
    res.redirect(303, `/operator/sessions/${row.session_id}`)
  })
}
