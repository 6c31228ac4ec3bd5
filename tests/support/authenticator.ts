/**
 * An authenticator app: the six digits of a secret (RFC 6238: HMAC-SHA-1, 30 seconds). `npm run operator:code --
 * SECRET` prints them on a machine without one.
 */
import { createHmac } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { Command, InvalidArgumentError } from 'commander'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const PERIOD = 30_000

/** What the app shows `steps` half minutes from now; before now if negative. */
export const codeIn = (secret: string, steps: number): string => codeOf(secret, Date.now() + steps * PERIOD)

/** The code of a base32 secret at a moment (milliseconds); blanks in the secret do not matter. */
export function codeOf(secret: string, at = Date.now()): string {
  const bits = [...secret.replace(/\s/g, '').toUpperCase()]
    .map((sign) => ALPHABET.indexOf(sign).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / PERIOD)))
  const mac = createHmac('sha1', key).update(counter).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fff_ffff
  return String(number % 1_000_000).padStart(6, '0')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { args } = new Command('npm run operator:code --')
    .description('The current code of an authenticator app.')
    .argument('<secret...>', 'as a first sign-in shows it, with blanks or without', aSecret)
    .showHelpAfterError()
    .parse()
  console.log(codeOf(args.join('')))
}

function aSecret(text: string): string {
  if (/^[a-z2-7\s]+$/i.test(text)) return text
  throw new InvalidArgumentError('A secret has the letters A to Z and the digits 2 to 7.')
}
