import { betterAuth } from 'better-auth'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Database } from '../../db/connect.ts'
import { hostCookies } from '../accounts/auth-cookies.ts'
import { authTables } from '../accounts/auth-tables.ts'
import { hashPassword, verifyPassword } from '../accounts/password.ts'
import type { Config } from '../config.ts'
import { keyedHash, keyText, tokenSecrets } from '../keys/keys.ts'
import { OPERATOR_PASSWORD_MIN } from './accounts.ts'
import { operatorPasskeys } from './passkey-plugin.ts'
import { LOCKED_MINUTES, OPERATOR_COOKIE } from './sign-in-rules.ts'
import { takeCodesOnce } from './used-codes.ts'

export type OperatorAuth = ReturnType<typeof createOperatorAuth>

/** After this time an operator has to sign in again, however active they are. */
const SESSION_SECONDS = 12 * 3_600
/** The name of the account in authenticator apps and passkeys. */
const NAME = 'Funnel operator'

/** The number by which sealed text names its key: the same wherever its secret is. */
const versionOf = (secret: string): number => keyedHash(secret, 'operators', 'version').readUInt32BE()

/**
 * better-auth for operators, with separate tables, key and cookies: no session, link or password of the buyers' sign-in
 * (accounts/auth.ts) is valid here. The only ways to sign in are a password and a code, or a passkey added by such a
 * sign-in; accounts are created by a command.
 */
export function createOperatorAuth(config: Config, db: Database) {
  const tables = authTables('operator')
  const url = config.operatorUrl ?? config.siteUrl
  return betterAuth({
    appName: NAME,
    baseURL: url,
    basePath: '/operator/auth',
    // opens what a release before 2026-11-24 has sealed, until the next sign-in
    secret: keyText(config.tokenSecret, 'operators'),
    // the first one signs and seals; what another one has sealed opens until that is taken out
    secrets: tokenSecrets(config).map((secret) => ({
      version: versionOf(secret),
      value: keyText(secret, 'operators'),
    })),
    telemetry: { enabled: false },
    logger: { disabled: true },
    database: { db, type: 'postgres', transaction: true },
    disabledPaths: ['/sign-up/email'],
    trustedOrigins: [new URL(url).origin],
    hooks: { before: takeCodesOnce(db) },
    plugins: [
      operatorPasskeys(url, NAME),
      twoFactor({
        // a challenge takes five codes; ten wrong ones in a row shut the account for a while (NIST SP 800-63B, 3.2.2)
        accountLockout: { maxFailedAttempts: 10, durationSeconds: LOCKED_MINUTES * 60 },
        backupCodeOptions: { amount: 10, storeBackupCodes: 'encrypted' },
        schema: {
          user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
          twoFactor: {
            modelName: 'operator_second_factor',
            fields: {
              userId: 'user_id',
              backupCodes: 'backup_codes',
              failedVerificationCount: 'failed_verification_count',
              lockedUntil: 'locked_until',
            },
          },
        },
      }),
    ],
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: OPERATOR_PASSWORD_MIN,
      password: { hash: hashPassword, verify: ({ hash, password }) => verifyPassword(hash, password) },
    },
    ...tables,
    session: { ...tables.session, expiresIn: SESSION_SECONDS, disableSessionRefresh: true },
    advanced: hostCookies(OPERATOR_COOKIE, { url, suffix: config.cookieSuffix }),
  })
}
