import { passkey } from '@better-auth/passkey'
import { APIError } from 'better-auth/api'

/**
 * better-auth's passkeys at one address. The device has to check its user (fingerprint, face, PIN), in place of the
 * password: the plugin leaves that open, so both answers are refused without it.
 */
export function operatorPasskeys(url: string, name: string) {
  const { hostname, origin } = new URL(url)
  return passkey({
    rpID: hostname,
    rpName: name,
    origin,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      afterVerification: ({ verification }) => requireUser(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: ({ verification }) => requireUser(verification.authenticationInfo.userVerified),
    },
    schema: {
      passkey: {
        modelName: 'operator_passkey',
        fields: {
          publicKey: 'public_key',
          userId: 'user_id',
          credentialID: 'credential_id',
          deviceType: 'device_type',
          backedUp: 'backed_up',
          createdAt: 'created_at',
        },
      },
    },
  })
}

function requireUser(verified: boolean | undefined): void {
  if (verified !== true) throw new APIError('UNAUTHORIZED', { code: 'USER_NOT_VERIFIED', message: 'user not verified' })
}
