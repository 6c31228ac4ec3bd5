import type { Request, RequestHandler, Response, Router } from 'express'
import type { Deps } from '../deps.ts'
import { contextOf } from '../http/context.ts'
import type { Limiter } from '../http/limits.ts'
import { signedOutHeaders } from '../http/security-headers.ts'
import { fields } from './entry.ts'
import type { Markup } from './html.ts'
import { sendPage } from './page.ts'
import { passkeyRoutes } from './passkeys.routes.ts'
import { checkCode, type CodeResult, confirmEnrolment, readEnrolment, readRecoveryCodes } from './second-factor.ts'
import { checkForm, checkPassword, formToken, requireNewcomer, requireOperator, signOutOperator } from './sign-in.ts'
import { LOCKED_MINUTES } from './sign-in-rules.ts'
import { codeForm, enrolForm, passwordForm, recoveryPage } from './sign-in.pages.ts'
import { failedSignIn, note } from './trail.ts'

const WRONG_CODE = 'This code is not right. Take the one that the app shows now; each of them counts once.'
const LOCKED = `There were too many wrong codes. Try again in ${LOCKED_MINUTES} minutes.`
const UNKNOWN_PASSKEY = 'This passkey is not known here, or it took too long. Your password and a code work as well.'
const BEGIN_AGAIN = 'That took too long, or there were too many wrong codes. Please begin again.'

/**
 * Password, then a code; or a passkey (passkeys.routes.ts). An operator without a second factor sets one up in between:
 * until then a sign-in opens only that page (N-02).
 */
export function signInRoutes(router: Router, deps: Deps, limiter: Limiter, form: RequestHandler): void {
  const show = (res: Response, body: Markup, status = 200, title = 'Sign in'): void =>
    sendPage(res, { title, status, body })
  const showSignIn = (res: Response, status = 200, email = '', trouble?: string): void =>
    sendPage(res, { title: 'Sign in', status, body: passwordForm(email, trouble), script: true })
  const showEnrolment = (res: Response, body: Markup, status = 200): void =>
    show(res, body, status, 'Set up your second factor')

  router.get('/operator/sign-in', (_req, res) => showSignIn(res))
  router.post('/operator/sign-in', form, async (req, res) => {
    await limiter.consume('operator', req)
    const { email = '', password = '' } = fields(req)
    const step = await checkPassword(deps, email, password)
    if (!step) {
      logRefusal(req, 'password', email)
      return showSignIn(res, 401, email, 'The email address or the password is not right.')
    }
    setCookies(res, step.cookies)
    res.redirect(303, step.next === 'code' ? '/operator/sign-in/code' : '/operator/second-factor')
  })

  router.get('/operator/sign-in/code', (_req, res) => show(res, codeForm()))
  router.post('/operator/sign-in/code', form, async (req, res) => {
    await limiter.consume('operatorCode', req)
    const result = await checkCode(deps, req, fields(req)['code'] ?? '')
    if ('cookies' in result) {
      await note(deps.db, result.userId, 'signed in')
      setCookies(res, result.cookies)
      return res.redirect(303, '/operator')
    }
    logRefusal(req, `code: ${result.refused}`)
    refuse(res, result, codeForm(WRONG_CODE))
  })

  router.get('/operator/second-factor', async (req, res) => {
    const operator = await requireNewcomer(deps, req)
    showEnrolment(res, await enrolForm(await readEnrolment(deps, operator), formToken(deps, operator)))
  })
  router.post('/operator/second-factor', form, async (req, res) => {
    const operator = await requireNewcomer(deps, req)
    checkForm(deps, operator, req)
    await limiter.consume('operatorCode', req)
    const result = await confirmEnrolment(deps, req, fields(req)['code'] ?? '')
    if ('cookies' in result) {
      await note(deps.db, result.userId, 'set up the second factor')
      setCookies(res, result.cookies)
      return show(res, recoveryPage(await readRecoveryCodes(deps, operator)), 200, 'Your recovery codes')
    }
    logRefusal(req, 'first code')
    const again = await enrolForm(await readEnrolment(deps, operator), formToken(deps, operator), WRONG_CODE)
    showEnrolment(res, again, 401)
  })

  router.post('/operator/sign-out', form, async (req, res) => {
    const operator = await requireOperator(deps, req)
    checkForm(deps, operator, req)
    await note(deps.db, operator.userId, 'signed out')
    setCookies(res, await signOutOperator(deps, req))
    res.set(signedOutHeaders)
    res.redirect(303, '/operator/sign-in')
  })

  passkeyRoutes(router, deps, limiter, form, (req, res) => {
    logRefusal(req, 'passkey')
    showSignIn(res, 401, '', UNKNOWN_PASSKEY)
  })

  /**
   * Logs a failed sign-in with digests: repeated tries by the same person can be recognised, but no address is logged.
   */
  function logRefusal(req: Request, step: string, email?: string): void {
    contextOf(req).log.warn({ step, ...failedSignIn(deps.config, req, email) }, 'operator sign-in refused')
  }

  function refuse(res: Response, { refused }: Extract<CodeResult, { refused: string }>, wrong: Markup): void {
    if (refused === 'wrong') return show(res, wrong, 401)
    if (refused === 'locked') return show(res, codeForm(LOCKED), 429)
    showSignIn(res, 401, '', BEGIN_AGAIN)
  }
}

function setCookies(res: Response, cookies: readonly string[]): void {
  for (const cookie of cookies) res.append('Set-Cookie', cookie)
}
