import express, { type Request, type Router } from 'express'
import { UUID } from '../../contract/uuid.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import type { Limiter } from '../http/limits.ts'
import { decideMoneyBack } from '../money-back/decide.ts'
import { type Action, begin, enter, fields, type Page, show, visitOf } from './entry.ts'
import { funnelCsv, funnelPage, readFilter } from './funnel.pages.ts'
import { errorsPage } from './letters.ts'
import { lettersRoutes } from './letters.routes.ts'
import { answerOwed } from './owed.pages.ts'
import { dutiesPage } from './duties.pages.ts'
import { exitsPage } from './exits.pages.ts'
import { healthPage } from './health.pages.ts'
import { STYLE } from './look.ts'
import { moneyBackPage } from './money-back.pages.ts'
import { privacyRoutes } from './privacy.routes.ts'
import { sessionsRoutes } from './sessions.routes.ts'
import { checkForm, isOperator } from './sign-in.ts'
import { signInRoutes } from './sign-in.routes.ts'
import { readStepFilter } from '../numbers/steps-report.ts'
import { report } from '../numbers/report.ts'
import { stepsPage } from './steps.pages.ts'
import { trailPage } from './trail.ts'
import { upsellLinksPage } from './upsell-links.ts'

/**
 * The operator's pages: server-rendered HTML, without script. Only the sign-in and the style sheet are open to anyone;
 * everything else is not found without an operator's session. Mounted before the JSON parser, because they post forms.
 */
export function operatorRoutes(router: Router, deps: Deps, limiter: Limiter): void {
  const { db } = deps
  const form = express.urlencoded({ extended: false, limit: '10kb' })

  router.get('/operator/style.css', (_req, res) => {
    res.setHeader('Cache-Control', 'public, max-age=300')
    res.type('css').send(STYLE)
  })
  signInRoutes(router, deps, limiter, form)

  /** GET of a page. */
  const page: Page = (path, title, at, body) =>
    router.get(path, async (req, res) => {
      const signed = await enter(deps, req, res)
      const found = await body(signed)
      if (!found) throw new AppError('not_found')
      await show(deps, signed, title, at, found)
    })
  /** POST of a form of ours. */
  const action: Action = (path, act) =>
    router.post(path, form, async (req, res) => {
      const signed = await enter(deps, req, res)
      checkForm(deps, signed.operator, req)
      await begin(deps, signed)
      await act(signed)
    })

  // for a person who types the address: the sign-in page is no secret
  router.get('/operator', async (req, res, next) => {
    if (req.accepts(['json', 'html']) !== 'html' || (await isOperator(deps, req))) next()
    else res.redirect(303, '/operator/sign-in')
  })
  sessionsRoutes(page, action, deps)
  page('/operator/funnel', 'Funnel', '/operator/funnel', ({ req }) =>
    report(deps, (from) => funnelPage(from, readFilter(req.query))),
  )
  page('/operator/steps', 'Steps of the quiz', '/operator/steps', ({ req }) =>
    report(deps, (from) => stepsPage(from, readStepFilter(req.query))),
  )
  router.get('/operator/funnel.csv', async (req, res) => {
    await begin(deps, await enter(deps, req, res))
    const filter = readFilter(req.query)
    res.setHeader('Content-Disposition', `attachment; filename="funnel-${filter.from}-${filter.to}.csv"`)
    res.type('csv').send(await report(deps, (from) => funnelCsv(from, filter)))
  })
  lettersRoutes(page, action, deps)
  page('/operator/errors', 'Errors', '/operator/errors', () => errorsPage(db))
  page('/operator/money-back', 'Money back', '/operator/money-back', ({ formToken: token }) =>
    moneyBackPage(deps, token),
  )
  action('/operator/money-back/:id', async (signed) => {
    const { req, res, operator } = signed
    const { decision, reason = '' } = fields(req)
    const id = String(req.params['id'])
    if (!UUID.test(id) || (decision !== 'approve' && decision !== 'decline')) throw new AppError('not_found')
    const choice = decision === 'approve' ? ({ decision } as const) : ({ decision, reason } as const)
    if (decision === 'decline' && reason.trim() === '') {
      return show(
        deps,
        signed,
        'Money back',
        '/operator/money-back',
        await moneyBackPage(deps, signed.formToken, 'Nothing was decided: a refusal needs a reason for the buyer.'),
      )
    }
    if (!(await decideMoneyBack(deps, id, choice, operator.email))) throw new AppError('not_found')
    deps.wake('outbox')
    res.redirect(303, '/operator/money-back')
  })
  page('/operator/exits', 'Leaving', '/operator/exits', () => exitsPage(deps))
  page('/operator/duties', 'Duties', '/operator/duties', () => dutiesPage())
  page('/operator/health', 'Health', '/operator/health', () => healthPage(deps))
  action('/operator/refunds/:id', async ({ req, res, operator }) => {
    const { act } = fields(req)
    const id = String(req.params['id'])
    if (!UUID.test(id) || (act !== 'again' && act !== 'settled')) throw new AppError('not_found')
    if (!(await answerOwed(deps, id, act, operator.email))) throw new AppError('not_found')
    res.redirect(303, '/operator/money-back')
  })
  page('/upsell-links', 'Upsell links', '/upsell-links', () => upsellLinksPage(deps, undefined))
  page('/upsell-links/:sessionId', 'Upsell links', '/upsell-links', ({ req }) => upsellLinksPage(deps, visitOf(req)))

  privacyRoutes(page, action, deps)
  page('/operator/trail', 'Trail', '/operator/trail', ({ req }) => trailPage(db, query(req, 'subject')))
}

function query(req: Request, name: string): string {
  const value = req.query[name]
  return typeof value === 'string' ? value.trim().slice(0, 320) : ''
}
