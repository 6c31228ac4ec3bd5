import { createOTP } from '@better-auth/utils/otp'
import { createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { symmetricDecrypt } from 'better-auth/crypto'
import type { Database } from '../../db/connect.ts'

type Call = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

const PERIOD = 30_000
/** No app generates this: better-auth refuses it and counts it like any wrong code. */
const NO_CODE = 'used'

/**
 * A better-auth hook that accepts each code of an authenticator app once, and none older than the last one (RFC 6238,
 * section 5.2; N-02); better-auth itself would accept a code repeatedly while it lasts. A used code is passed on as a
 * wrong one, so that the same limits count it.
 */
export function takeCodesOnce(db: Database) {
  return createAuthMiddleware(async (ctx) => {
    if (ctx.path !== '/two-factor/verify-totp') return
    const body = ctx.body as { code: string }
    const userId = await whoIsAsked(ctx)
    const factor = userId && (await factorOf(db, userId))
    if (!factor) return
    const secret = await symmetricDecrypt({ key: ctx.context.secretConfig, data: factor.secret })
    const step = await timeStepOf(secret, body.code)
    if (step === undefined || (await claim(db, factor.id, step))) return
    return { context: { body: { ...body, code: NO_CODE } } }
  })
}

/** The operator who is setting up the second factor, or whose password began this sign-in. */
async function whoIsAsked(ctx: Call): Promise<string | undefined> {
  const signedIn = await getSessionFromCtx(ctx)
  if (signedIn) return signedIn.user.id
  const { name } = ctx.context.createAuthCookie('two_factor')
  const challenge = await ctx.getSignedCookie(name, ctx.context.secret)
  if (!challenge) return undefined
  return (await ctx.context.internalAdapter.findVerificationValue(challenge))?.value
}

function factorOf(db: Database, userId: string) {
  return db
    .selectFrom('operator_second_factor')
    .select(['id', 'secret'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** The half minute that this code belongs to: the current, the previous or the next one, as better-auth accepts. */
async function timeStepOf(secret: string, code: string): Promise<number | undefined> {
  const now = Math.floor(Date.now() / PERIOD)
  const app = createOTP(secret)
  for (const step of [now - 1, now, now + 1]) if ((await app.hotp(step)) === code) return step
  return undefined
}

/** Whether this is the first use. A locked account claims nothing: its code may be entered once it is unlocked. */
async function claim(db: Database, factorId: string, step: number): Promise<boolean> {
  const claimed = await db
    .updateTable('operator_second_factor')
    .set({ last_time_step: step })
    .where('id', '=', factorId)
    .where((is) => is.or([is('locked_until', 'is', null), is('locked_until', '<=', new Date())]))
    .where((is) => is.or([is('last_time_step', 'is', null), is('last_time_step', '<', step)]))
    .executeTakeFirst()
  return claimed.numUpdatedRows > 0n
}
