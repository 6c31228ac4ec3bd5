import type { Request } from 'express'
import { authHeaders } from '../sessions/signed-in.ts'
import { codeOf } from '../accounts/sign-in.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { endOthers, type Operator } from './sign-in.ts'

/** What an authenticator app needs. */
export interface Enrolment {
  /** Base32, RFC 4648 without padding. */
  secret: string
  /** otpauth://totp/…, as authenticator apps read it from a QR code. */
  uri: string
}

/** Opens and seals as better-auth does: with any of the secrets, and under the first one. */
async function sealing(deps: Deps) {
  const [auth, { symmetricDecrypt, symmetricEncrypt }] = await Promise.all([
    deps.operatorAuth(),
    import('better-auth/crypto'),
  ])
  const { secretConfig: key, appName } = await auth.$context
  return {
    appName,
    open: (data: string) => symmetricDecrypt({ key, data }),
    seal: (data: string) => symmetricEncrypt({ key, data }),
    isCurrent: (data: string) => typeof key === 'string' || data.startsWith(`$ba$${key.currentVersion}$`),
  }
}

/** The secret of an operator who sets up the second factor. Throws not_found when none waits. */
export async function readEnrolment(deps: Deps, { userId, email }: Operator): Promise<Enrolment> {
  const row = await deps.db
    .selectFrom('operator_second_factor')
    .select('secret')
    .where('user_id', '=', userId)
    .where('verified', '=', false)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  const { appName, open } = await sealing(deps)
  const secret = base32(await open(row.secret))
  const label = `${encodeURIComponent(appName)}:${encodeURIComponent(email)}`
  return { secret, uri: `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(appName)}` }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648, section 6, without padding. */
function base32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** What came of a code: the cookies of the sign-in, or why there are none. */
export type CodeResult = { cookies: string[]; userId: string } | { refused: 'wrong' | 'locked' | 'begin_again' }

/**
 * Checks a code of the app (six digits) or a recovery code, which works once. `begin_again`: the password was entered
 * too long ago, or five codes of this sign-in were wrong.
 */
export async function checkCode(deps: Deps, req: Request, typed: string): Promise<CodeResult> {
  const code = typed.replace(/\s/g, '')
  const auth = await deps.operatorAuth()
  const call = { body: { code }, headers: authHeaders(req), returnHeaders: true } as const
  const result = await resultOf(() =>
    /^\d{6}$/.test(code) ? auth.api.verifyTOTP(call) : auth.api.verifyBackupCode(call),
  )
  if ('userId' in result) await sealAnew(deps, result.userId)
  return result
}

/** N-02: a sign-in seals the second factor under the first of several secrets, so that the others can be taken out. */
export async function sealAnew(deps: Deps, userId: string): Promise<void> {
  const row = await deps.db
    .selectFrom('operator_second_factor')
    .select(['id', 'secret', 'backup_codes'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!row) return
  const { isCurrent, open, seal } = await sealing(deps)
  if (isCurrent(row.secret) && isCurrent(row.backup_codes)) return
  const anew = async (data: string) => seal(await open(data))
  const [secret, backup_codes] = await Promise.all([anew(row.secret), anew(row.backup_codes)])
  await deps.db
    .updateTable('operator_second_factor')
    .set({ secret, backup_codes })
    // a recovery code that is used at this moment stays used
    .where('id', '=', row.id)
    .where('backup_codes', '=', row.backup_codes)
    .execute()
}

/** The app's first code, which ends the set-up and every other sign-in: from now on the account asks for one. */
export async function confirmEnrolment(deps: Deps, req: Request, typed: string): Promise<CodeResult> {
  const auth = await deps.operatorAuth()
  const body = { code: typed.replace(/\s/g, '') }
  const result = await resultOf(() => auth.api.verifyTOTP({ body, headers: authHeaders(req), returnHeaders: true }))
  // one that was begun at the same moment
  if ('cookies' in result) await endOthers(deps, result.cookies)
  return result
}

async function resultOf(
  ask: () => Promise<{ headers: Headers; response: { user: { id: string } } }>,
): Promise<CodeResult> {
  try {
    const { headers, response } = await ask()
    return { cookies: headers.getSetCookie(), userId: response.user.id }
  } catch (error) {
    const why = codeOf(error)
    if (/^INVALID_(BACKUP_)?CODE$/.test(why)) return { refused: 'wrong' }
    if (why === 'ACCOUNT_TEMPORARILY_LOCKED') return { refused: 'locked' }
    if (/INVALID_TWO_FACTOR_COOKIE|TOO_MANY_ATTEMPTS|NOT_ENABLED/.test(why)) return { refused: 'begin_again' }
    throw error
  }
}

/** The ten recovery codes of an operator who has just set up the second factor. */
export async function readRecoveryCodes(deps: Deps, { userId }: Operator): Promise<readonly string[]> {
  const auth = await deps.operatorAuth()
  const { backupCodes } = await auth.api.viewBackupCodes({ body: { userId } })
  return backupCodes
}
