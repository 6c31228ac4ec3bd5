import type { Deps } from '../deps.ts'
import type { Caller } from '../http/limits.ts'
import { isSigned } from '../mail/mailed-links.ts'
import { hashToken } from '../sessions/token.ts'

/** The reader of a mail. An expired link still identifies its reader, because cancelling by mail must keep working. */
export function readerOf({ config }: Pick<Deps, 'config'>, token: string): Caller | undefined {
  return isSigned(config, token) ? { key: hashToken(token).toString('base64url'), known: () => true } : undefined
}
