import type { Request, RequestHandler, Response, Router } from 'express'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import type { Limiter } from '../http/limits.ts'
import { enter, fields, show, type Signed } from './entry.ts'
import { SCRIPT } from './passkeys.script.ts'
import { addPasskey, type Ask, askForNewPasskey, askForPasskey, removePasskey, signInByPasskey } from './passkeys.ts'
import { passkeysPage } from './passkeys.pages.ts'
import { checkForm } from './sign-in.ts'
import { note } from './trail.ts'

/** Shows the password page again after a refused sign-in by passkey. */
export interface Refusal {
  (req: Request, res: Response): void
}

/** Passkeys of operators: the page that manages them, and the sign-in (N-02). */
export function passkeyRoutes(
  router: Router,
  deps: Deps,
  limiter: Limiter,
  form: RequestHandler,
  refuse: Refusal,
): void {
  router.get('/operator/passkeys.js', (_req, res) => {
    res.setHeader('Cache-Control', 'public, max-age=300')
    res.type('js').send(SCRIPT)
  })

  router.post('/operator/sign-in/passkey/options', form, async (req, res) => {
    await limiter.consume('operatorCode', req)
    sendAsk(res, await askForPasskey(deps, req))
  })
  router.post('/operator/sign-in/passkey', form, async (req, res) => {
    await limiter.consume('operatorCode', req)
    const credential = credentialOf(req)
    const found = credential && (await signInByPasskey(deps, req, credential))
    if (!found) return refuse(req, res)
    await note(deps.db, found.userId, 'signed in with a passkey')
    for (const cookie of found.cookies) res.append('Set-Cookie', cookie)
    res.redirect(303, '/operator')
  })

  const own = async (signed: Signed, notice?: string): Promise<void> => {
    const body = await passkeysPage(deps, signed.operator, signed.formToken, notice)
    await show(deps, signed, 'Passkeys', '/operator/passkeys', body, { script: true })
  }
  /** A form sent by a signed-in operator. */
  const signedForm = async (req: Request, res: Response): Promise<Signed> => {
    const signed = await enter(deps, req, res)
    checkForm(deps, signed.operator, req)
    return signed
  }
  router.get('/operator/passkeys', async (req, res) => own(await enter(deps, req, res)))
  router.post('/operator/passkeys/options', form, async (req, res) => {
    await signedForm(req, res)
    await limiter.consume('operatorCode', req)
    const ask = await askForNewPasskey(deps, req, fields(req)['password'] ?? '')
    if (ask) sendAsk(res, ask)
    else res.status(401).json({})
  })
  router.post('/operator/passkeys', form, async (req, res) => {
    const signed = await signedForm(req, res)
    const credential = credentialOf(req)
    if (!credential || !(await addPasskey(deps, req, credential))) {
      return own(signed, 'No passkey was added: that took too long, or the device did not check who you are.')
    }
    await note(deps.db, signed.operator.userId, 'added a passkey')
    res.redirect(303, '/operator/passkeys')
  })
  router.post('/operator/passkeys/:id/remove', form, async (req, res) => {
    const { operator } = await signedForm(req, res)
    if (!(await removePasskey(deps, operator, String(req.params['id'])))) throw new AppError('not_found')
    await note(deps.db, operator.userId, 'removed a passkey')
    res.redirect(303, '/operator/passkeys')
  })
}

function sendAsk(res: Response, { options, cookies }: Ask): void {
  for (const cookie of cookies) res.append('Set-Cookie', cookie)
  res.setHeader('Cache-Control', 'no-store')
  res.json(options)
}

/** The browser's answer, as the script put it into the form; undefined if it is not an object. */
function credentialOf(req: Request): Record<string, unknown> | undefined {
  const text: unknown = (req.body as Record<string, unknown> | undefined)?.['credential']
  try {
    const found: unknown = JSON.parse(String(text))
    return typeof found === 'object' && found !== null && !Array.isArray(found)
      ? (found as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
