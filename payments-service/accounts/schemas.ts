import { z } from 'zod'
import type { SignedIn } from '../../contract/members.ts'
import type { Call } from '../http/route.ts'

export const signedIn: z.ZodType<SignedIn> = z.object({ done: z.literal(true), choosePassword: z.boolean() })

/** Hands the cookies of better-auth to the browser. */
export function setCookies({ res }: Pick<Call<unknown>, 'res'>, cookies: readonly string[]): void {
  for (const cookie of cookies) res.append('Set-Cookie', cookie)
}
