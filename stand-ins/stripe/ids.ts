import { randomBytes } from 'node:crypto'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Random letters and digits, as in Stripe's ids. */
export function letters(length: number): string {
  let out = ''
  while (out.length < length) {
    for (const byte of randomBytes(length * 2)) if (byte < 248 && out.length < length) out += LETTERS[byte % 62]
  }
  return out
}

/** A new id with Stripe's prefix, for example `pi_3Q…`. */
export function newId(prefix: string): string {
  const one = prefix === 'pi' || prefix === 'ch' || prefix === 're' || prefix === 'py' ? '3' : '1'
  return `${prefix}_${one}${letters(23)}`
}

/** A client secret of an intent. */
export function newSecret(id: string): string {
  return `${id}_secret_${letters(25)}`
}
