/**
 * better-auth's four tables by our names, as part of its options: `{prefix}_user`, `_session`, `_account` and
 * `_verification`. Each instance has its own prefix, so that none reads what another one wrote.
 */
export function authTables(prefix: 'auth' | 'operator') {
  const touched = { createdAt: 'created_at', updatedAt: 'updated_at' }
  return {
    user: { modelName: `${prefix}_user`, fields: { emailVerified: 'email_verified', ...touched } },
    session: {
      modelName: `${prefix}_session`,
      fields: {
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        userId: 'user_id',
        ...touched,
      },
    },
    account: {
      modelName: `${prefix}_account`,
      fields: {
        accountId: 'account_id',
        providerId: 'provider_id',
        userId: 'user_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...touched,
      },
    },
    verification: {
      modelName: `${prefix}_verification`,
      // the table holds no token that opens something
      storeIdentifier: 'hashed' as const,
      fields: { expiresAt: 'expires_at', ...touched },
    },
  }
}
