import type { Call } from '../http/route.ts'

/** Hands the cookies of better-auth to the browser. */
export function setCookies({ res }: Pick<Call<unknown>, 'res'>, cookies: readonly string[]): void {
  for (const cookie of cookies) res.append('Set-Cookie', cookie)
}
