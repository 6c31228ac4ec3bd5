import { betterAuth } from 'better-auth'
import type { Database } from '../../db/connect.ts'
import { authTables } from '../accounts/auth-tables.ts'
import { hashPassword, verifyPassword } from '../accounts/password.ts'
import type { Config } from '../config.ts'
import { keyText } from '../keys/keys.ts'
import { OPERATOR_COOKIE, OPERATOR_PASSWORD_MIN } from './accounts.ts'

export type OperatorAuth = ReturnType<typeof createOperatorAuth>

/** After so long an operator signs in again, however much they do. */
const SESSION_SECONDS = 12 * 3_600

/**
 * better-auth for operators, with tables, key and cookies of its own: no session, link or password of the buyers' sign-in
 * (accounts/auth.ts) means anything here. There is no way in but the password; accounts are made by a command.
 */
export function createOperatorAuth(config: Config, db: Database) {
  const tables = authTables('operator')
  return betterAuth({
    appName: 'Funnel operator',
    baseURL: config.siteUrl,
    basePath: '/operator/auth',
    secret: keyText(config.tokenSecret, 'operators'),
    telemetry: { enabled: false },
    logger: { disabled: true },
    database: { db, type: 'postgres', transaction: true },
    disabledPaths: ['/sign-up/email'],
    trustedOrigins: [new URL(config.siteUrl).origin],
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: OPERATOR_PASSWORD_MIN,
      password: { hash: hashPassword, verify: ({ hash, password }) => verifyPassword(hash, password) },
    },
    ...tables,
    session: { ...tables.session, expiresIn: SESSION_SECONDS, disableSessionRefresh: true },
    advanced: {
      cookiePrefix: `${OPERATOR_COOKIE}${config.cookieSuffix ? `-${config.cookieSuffix}` : ''}`,
      useSecureCookies: config.siteUrl.startsWith('https:'),
    },
  })
}
