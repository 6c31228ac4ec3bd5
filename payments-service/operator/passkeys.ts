import type { Request } from 'express'
import { authHeaders } from '../sessions/signed-in.ts'
import { codeOf } from '../accounts/sign-in.ts'
import type { Deps } from '../deps.ts'
import type { OperatorAuth } from './auth.ts'
import { sealAnew } from './second-factor.ts'
import type { Operator } from './sign-in.ts'

type Answer = NonNullable<Parameters<OperatorAuth['api']['verifyPasskeyAuthentication']>[0]>['body']['response']

/** The options for the browser, and the cookies that tie its answer to them. */
export interface Ask {
  options: object
  cookies: string[]
}

/** Options for a sign-in: any passkey of this site. */
export async function askForPasskey(deps: Deps, req: Request): Promise<Ask> {
  const auth = await deps.operatorAuth()
  const call = { headers: authHeaders(req), returnHeaders: true } as const
  const { headers, response } = await auth.api.generatePasskeyAuthenticationOptions(call)
  return { options: { ...response, userVerification: 'required' }, cookies: headers.getSetCookie() }
}

/** Options for a new passkey. Null for a wrong password, so that an unattended browser cannot gain lasting access. */
export async function askForNewPasskey(deps: Deps, req: Request, password: string): Promise<Ask | null> {
  const auth = await deps.operatorAuth()
  const headers = authHeaders(req)
  const typed = await refusedAsNull(() => auth.api.verifyPassword({ body: { password }, headers }))
  if (!typed) return null
  const made = await auth.api.generatePasskeyRegistrationOptions({ query: {}, headers, returnHeaders: true })
  return { options: made.response, cookies: made.headers.getSetCookie() }
}

/** Stores the new passkey. False when the answer does not match what was asked, or comes too late. */
export async function addPasskey(deps: Deps, req: Request, credential: unknown): Promise<boolean> {
  const auth = await deps.operatorAuth()
  const body = { response: credential }
  return (await refusedAsNull(() => auth.api.verifyPasskeyRegistration({ body, headers: authHeaders(req) }))) !== null
}

/** The operator that the browser's answer signs in, with cookies. Null when it does not match what was asked. */
export async function signInByPasskey(
  deps: Deps,
  req: Request,
  credential: Record<string, unknown>,
): Promise<{ userId: string; cookies: string[] } | null> {
  const auth = await deps.operatorAuth()
  // better-auth checks its shape
  const response = credential as unknown as Answer
  const call = { body: { response }, headers: authHeaders(req), returnHeaders: true } as const
  const found = await refusedAsNull(() => auth.api.verifyPasskeyAuthentication(call))
  if (!found) return null
  const userId = found.response.user.id
  // what no secret opens any more shuts out nobody who has a passkey
  await sealAnew(deps, userId).catch((error: unknown) => deps.log.warn({ err: error }, 'a second factor stays sealed'))
  return { userId, cookies: found.headers.getSetCookie() }
}

/** The operator's passkeys, oldest first. */
export function listPasskeys({ db }: Deps, { userId }: Operator) {
  return db
    .selectFrom('operator_passkey')
    .select(['id', 'created_at', 'backed_up'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
}

/** False when the operator has no such passkey. */
export async function removePasskey({ db }: Deps, { userId }: Operator, id: string): Promise<boolean> {
  const gone = await db
    .deleteFrom('operator_passkey')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return gone.numDeletedRows > 0n
}

/** Null where better-auth itself refuses. */
async function refusedAsNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (codeOf(error) === '') throw error
    return null
  }
}
