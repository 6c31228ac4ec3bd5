/** A passkey as a device keeps one (WebAuthn, ES256), without the device. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

/** One for the site at `origin`: what the service stores of it, and its answer to a challenge. */
export function createPasskey(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  // COSE: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
  const key = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from(x, 'base64url')]
  const cose = Buffer.concat([...key, Buffer.from('225820', 'hex'), Buffer.from(y, 'base64url')])
  const id = randomBytes(16).toString('base64url')
  return {
    stored: { credential_id: id, public_key: cose.toString('base64') },
    answer(challenge: string): string {
      const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }))
      // present and verified, and a counter of 0
      const device = Buffer.concat([sha256(new URL(origin).hostname), Buffer.from('0500000000', 'hex')])
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: device.toString('base64url'),
        signature: sign('sha256', Buffer.concat([device, sha256(client)]), privateKey).toString('base64url'),
      }
      return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} })
    },
  }
}
