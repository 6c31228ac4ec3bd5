import type { Deps } from '../deps.ts'
import { type Action, fields, type Page, show, visitOf } from './entry.ts'
import { sessionsPage, storyPage } from './sessions.pages.ts'

/** The latest visits, those of an address, and one visit's whole story. */
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
}
