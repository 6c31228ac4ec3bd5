import { randomUUID } from 'node:crypto'
import express, { type Request, type Response, type Router } from 'express'
import { shapes } from '../../contract/api/shapes.ts'
import { parseEmail } from '../../contract/email.ts'
import { CONTRACT_WORDS, EXIT_CONTRACTS, exitWords } from '../../contract/exit.ts'
import { signInCaller } from '../accounts/known-browser.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import type { Limiter } from '../http/limits.ts'
import { sendPlainPage, typed } from '../http/plain-page.ts'
import { parse } from '../http/route.ts'
import { countryOf } from '../sessions/metadata.ts'
import { receiveExit } from './receive.ts'

const BACK = 'Your browser’s back button leads to the form, with what you typed.'
const FIELDS: Readonly<Record<string, string>> = {
  kind: 'Choose whether you want to cancel or to withdraw.',
  contract: 'Choose what you want to withdraw from.',
  name: 'Enter your name, with at most 200 characters.',
  email: 'Enter the email address that you bought with.',
  reason: 'The reason can have at most 2,000 characters.',
}

const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${typed(value)}">`

/**
 * H-02, H-04: the form of /exit where no script runs: shown once more, then received, as the page does it. Mounted
 * before the JSON middleware.
 */
export function plainExitRoutes(router: Router, deps: Deps, limiter: Limiter): void {
  router.post('/api/exit/form', express.urlencoded({ extended: false, limit: '20kb' }), async (req, res) => {
    try {
      await limiter.consume('open', req)
      await answer(deps, limiter, req, res)
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      if (error.status === 429) return sendPlainPage(res, 429, 'Please wait', error.message)
      const what = FIELDS[error.field ?? ''] ?? 'Something in the form is not right.'
      sendPlainPage(res, 422, 'Please check the form', `${what} ${BACK}`)
    }
  })
}

async function answer(deps: Deps, limiter: Limiter, req: Request, res: Response): Promise<void> {
  const fields = (req.body ?? {}) as Record<string, unknown>
  // without a script the form names no contract, and every name of the page's own fields is sent
  const stated = parse(shapes.leave.request, { contract: 'everything', ...fields })
  const { kind, contract, name, email, reason } = stated
  if (!parseEmail(email)) throw new AppError('invalid_body', { field: 'email' })
  const country = countryOf(req, deps.config) ?? null
  if (fields['confirm'] === 'yes') {
    await limiter.consume('exit', req, signInCaller(deps.config, req, email))
    const received = await receiveExit(deps, stated, country)
    const at = received.receivedAt.slice(0, 16).replace('T', ' ')
    const what = kind === 'end' ? 'cancellation' : 'withdrawal'
    return sendPlainPage(
      res,
      200,
      `We have received your ${what}`,
      `Received on ${at} UTC. We confirm it by e-mail to the address that you named.`,
    )
  }
  const words = exitWords(country)
  const choice =
    kind === 'end'
      ? hidden('contract', 'subscription')
      : `<p><label>From which contract? <select name="contract">${EXIT_CONTRACTS.map(
          (one) => `<option value="${one}"${one === contract ? ' selected' : ''}>${CONTRACT_WORDS[one]}</option>`,
        ).join('')}</select></label></p>`
  const facts = [name, email, ...(reason ? [reason] : [])].map((one) => `<li>${typed(one)}</li>`).join('')
  sendPlainPage(
    res,
    200,
    kind === 'end' ? 'Cancel the subscription?' : 'Withdraw from the contract?',
    `Nothing was sent yet. ${BACK}`,
    `<ul>${facts}</ul><form method="post" action="/api/exit/form">` +
      `${hidden('id', randomUUID())}${hidden('kind', kind)}${hidden('name', name)}${hidden('email', email)}` +
      `${hidden('reason', reason ?? '')}${hidden('confirm', 'yes')}` +
      `${choice}<button lang="${words.lang}">${words[kind].confirm}</button></form>`,
  )
}
