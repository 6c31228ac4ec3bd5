import { betterAuth } from 'better-auth'
import { magicLink } from 'better-auth/plugins/magic-link'
import type { Database } from '../../db/connect.ts'
import type { Config } from '../config.ts'
import { keyText } from '../keys/keys.ts'
import { hostCookies } from './auth-cookies.ts'
import { authTables } from './auth-tables.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../contract/password.ts'
import { mailMagicLink, mailPasswordReset, MAGIC_MINUTES, RESET_MINUTES } from './mails.ts'

export type Auth = ReturnType<typeof createAuth>

/**
 * better-auth on our tables: accounts, their sessions, password reset, sign-in by mail. It is only called in process;
 * the routes of the API are ours (routes.ts), and sign-up happens only through accounts.ts.
 */
export function createAuth(config: Config, db: Database) {
  const tables = authTables('auth')
  return betterAuth({
    appName: 'Funnel',
    baseURL: config.siteUrl,
    basePath: '/api/auth',
    secret: keyText(config.tokenSecret, 'accounts'),
    telemetry: { enabled: false },
    logger: { disabled: true },
    database: { db, type: 'postgres', transaction: true },
    disabledPaths: ['/sign-up/email'],
    trustedOrigins: [new URL(config.siteUrl).origin],
    plugins: [
      magicLink({
        disableSignUp: true,
        expiresIn: MAGIC_MINUTES * 60,
        storeToken: 'hashed',
        sendMagicLink: ({ email, token }) => mailMagicLink(config, db, email, token),
      }),
    ],
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      resetPasswordTokenExpiresIn: RESET_MINUTES * 60,
      sendResetPassword: ({ user, token }) => mailPasswordReset(config, db, user, token),
      // reading the mailbox proves that the address is theirs
      onPasswordReset: async ({ user }) => {
        await db.updateTable('auth_user').set({ email_verified: true }).where('id', '=', user.id).execute()
      },
      revokeSessionsOnPasswordReset: true,
      password: { hash: hashPassword, verify: ({ hash, password }) => verifyPassword(hash, password) },
    },
    ...tables,
    user: {
      ...tables.user,
      additionalFields: {
        quizSessionId: { type: 'string', required: false, input: false, fieldName: 'quiz_session_id' },
        createdFrom: { type: 'string', required: false, input: false, fieldName: 'created_from' },
      },
    },
    advanced: hostCookies('funnel-account', { url: config.siteUrl, suffix: config.cookieSuffix }),
  })
}
