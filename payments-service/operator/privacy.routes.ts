import type { Deps } from '../deps.ts'
import { exportVisitor } from '../privacy/export.ts'
import { type Action, fields, type Page, show, type Signed } from './entry.ts'
import { eraseChosen, type Notice, privacyPage, withdrawChosen } from './privacy.pages.ts'

/** The visits that were ticked. */
function ticked({ req }: Signed): string[] {
  const given = (req.body as Record<string, unknown> | undefined)?.['visit']
  return (Array.isArray(given) ? given : [given]).filter((one) => typeof one === 'string')
}

/**
 * D-12: find the visits of an address or id, export or erase the chosen ones, or take their health
 * consent back. An address travels in forms, never in a URL.
 */
export function privacyRoutes(page: Page, action: Action, deps: Deps): void {
  const { db } = deps
  const again = async (signed: Signed, who?: string, notice?: Notice): Promise<void> =>
    show(deps, signed, 'Privacy', '/operator/privacy', await privacyPage(db, signed.formToken, who, notice))

  page('/operator/privacy', 'Privacy', '/operator/privacy', ({ formToken }) => privacyPage(db, formToken))
  action('/operator/privacy', (signed) => again(signed, fields(signed.req)['who']))
  action('/operator/privacy/export', async (signed) => {
    const { who = '' } = fields(signed.req)
    const found = await exportVisitor(db, { who, visits: ticked(signed) })
    if (found.sessions.length === 0)
      return again(signed, who, { text: 'Nothing to export: no visit was ticked.', bad: true })
    signed.res.setHeader('Content-Disposition', 'attachment; filename="visitor.json"')
    signed.res.type('json').send(JSON.stringify(found, null, 2))
  })
  action('/operator/privacy/erase', async (signed) => {
    const { who = '', sure } = fields(signed.req)
    const notice =
      sure === 'yes'
        ? await eraseChosen(db, who, ticked(signed))
        : { text: 'Nothing was erased: the tick was missing.', bad: true }
    await again(signed, notice.bad ? who : undefined, notice)
  })
  action('/operator/privacy/health', async (signed) => {
    const { who = '', sure } = fields(signed.req)
    const notice =
      sure === 'yes'
        ? await withdrawChosen(db, who, ticked(signed))
        : { text: 'Nothing was deleted: the tick was missing.', bad: true }
    await again(signed, who, notice)
  })
}
