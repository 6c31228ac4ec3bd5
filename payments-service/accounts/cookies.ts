import type { Call } from '../http/route.ts'

/** Passes better-auth's cookies on to the browser. */
export function setCookies({ res }: Pick<Call<unknown>, 'res'>, cookies: readonly string[]): void {
  for (const cookie of cookies) res.append('Set-Cookie', cookie)
}
