/** Operators who sign in as people do: with password, authenticator app or recovery codes. */
import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { createOperator } from '../../payments-service/operator/accounts.ts'
import { codeOf } from '../support/authenticator.ts'
import { Browser, type Reply } from './service.ts'

export const OPERATOR_PASSWORD = 'A Long Pass Phrase 1'

export interface SignedOperator {
  browser: Browser
  email: string
  /** The authenticator app's secret, base32. */
  secret: string
  recoveryCodes: string[]
  /** The code that ended the set-up. */
  code: string
}

export const formTokenOf = (page: string): string => /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? ''
export const secretOf = (page: string): string =>
  /<code class="secret">([^<]+)</.exec(page)?.[1]?.replaceAll(' ', '') ?? ''
export const recoveryCodesOf = (page: string): string[] =>
  [...page.matchAll(/<li><code>([^<]+)<\/code><\/li>/g)].map(([, code = '']) => code)

export const typePassword = (browser: Browser, email: string, password = OPERATOR_PASSWORD): Promise<Reply> =>
  browser.form('/operator/sign-in', { email, password })

/** A new operator whose browser has signed in for the first time. */
export async function signedOperator(
  { url, db }: { url: string; db: Database },
  email = 'boss@example.com',
): Promise<SignedOperator> {
  await createOperator(db, email, OPERATOR_PASSWORD)
  return enrol(new Browser(url), email)
}

/** The first sign-in: the password, then setting up the app. Throws when the operator pages stay closed. */
export async function enrol(browser: Browser, email: string, password = OPERATOR_PASSWORD): Promise<SignedOperator> {
  const first = await typePassword(browser, email, password)
  if (first.headers.get('location') !== '/operator/second-factor') throw new Error(`no set-up: ${first.status}`)
  const page = (await browser.get('/operator/second-factor')).body as string
  const secret = secretOf(page)
  const code = codeOf(secret)
  const done = await browser.form('/operator/second-factor', { form_token: formTokenOf(page), code })
  const recoveryCodes = recoveryCodesOf(done.body as string)
  if (done.status !== 200 || (await browser.get('/operator')).status !== 200) throw new Error(`not in: ${done.status}`)
  return { browser, email, secret, recoveryCodes, code }
}

/** Backdates an operator's last code by one period of the app, so that the present code is unused. */
export async function halfAMinuteLater(db: Database, email: string): Promise<void> {
  await db
    .updateTable('operator_second_factor')
    .set({ last_time_step: sql`last_time_step - 1` })
    .where('user_id', '=', (from) => from.selectFrom('operator_user').select('id').where('email', '=', email))
    .execute()
}
