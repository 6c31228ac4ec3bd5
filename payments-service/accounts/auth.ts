import { betterAuth } from 'better-auth'
import type { Database } from '../../db/connect.ts'
import type { Config } from '../config.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../contract/password.ts'

export type Auth = ReturnType<typeof createAuth>

/** better-auth on our tables: accounts, their sessions, password reset. Sign-up happens through accounts.ts alone. */
export function createAuth(config: Config, db: Database) {
  return betterAuth({
    appName: 'Funnel',
    baseURL: config.siteUrl,
    basePath: '/api/auth',
    secret: config.tokenSecret,
    telemetry: { enabled: false },
    logger: { disabled: true },
    database: { db, type: 'postgres', transaction: true },
    disabledPaths: ['/sign-up/email'],
    trustedOrigins: [new URL(config.siteUrl).origin],
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      password: { hash: hashPassword, verify: ({ hash, password }) => verifyPassword(hash, password) },
    },
    user: {
      modelName: 'auth_user',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
      additionalFields: {
        quizSessionId: { type: 'string', required: false, input: false, fieldName: 'quiz_session_id' },
        createdFrom: { type: 'string', required: false, input: false, fieldName: 'created_from' },
      },
    },
    session: {
      modelName: 'auth_session',
      fields: {
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        userId: 'user_id',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    account: {
      modelName: 'auth_account',
      fields: {
        accountId: 'account_id',
        providerId: 'provider_id',
        userId: 'user_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'auth_verification',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    advanced: {
      cookiePrefix: `funnel-account${config.cookieSuffix ? `-${config.cookieSuffix}` : ''}`,
      useSecureCookies: config.siteUrl.startsWith('https:'),
    },
  })
}
