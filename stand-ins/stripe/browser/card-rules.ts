// What makes a card field complete: formatting, Luhn, dates, and Stripe.js's words. Pure, no DOM.
export interface FieldError {
  type: 'validation_error'
  code: string
  message: string
}
export interface FieldState {
  empty: boolean
  complete: boolean
  error: FieldError | undefined
}

const MESSAGES: Record<string, string> = {
  incomplete_number: 'Your card number is incomplete.',
  invalid_number: 'Your card number is invalid.',
  incomplete_expiry: "Your card's expiration date is incomplete.",
  invalid_expiry_month_past: "Your card's expiration date is in the past.",
  invalid_expiry_year_past: "Your card's expiration year is in the past.",
  invalid_expiry_year: "Your card's expiration year is invalid.",
  incomplete_cvc: "Your card's security code is incomplete.",
}

/** The error for a code of Stripe.js. */
export function fieldError(code: string): FieldError {
  return { type: 'validation_error', code, message: MESSAGES[code] ?? 'Your card details are invalid.' }
}

const BRANDS: [name: string, pattern: RegExp, lengths: number[]][] = [
  ['visa', /^4/, [16]],
  ['mastercard', /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/, [16]],
  ['amex', /^3[47]/, [15]],
  ['discover', /^(6011|64[4-9]|65)/, [16]],
  ['diners', /^(30[0-5]|36|38)/, [14, 16]],
  ['jcb', /^35/, [16]],
  ['unionpay', /^62/, [16, 17, 18, 19]],
]

/** Brand by the first digits; 'unknown' while they are ambiguous. */
export function brandOf(digits: string): string {
  return BRANDS.find(([, pattern]) => pattern.test(digits))?.[0] ?? 'unknown'
}

function lengths(digits: string): number[] {
  return BRANDS.find(([, pattern]) => pattern.test(digits))?.[2] ?? [16]
}

function luhn(digits: string): boolean {
  let sum = 0
  ;[...digits].reverse().forEach((digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  })
  return sum % 10 === 0
}

export const only = (text: string): string => text.replace(/\D/g, '')

/** `4242 4242 4242 4242`; American Express and Diners in their own groups. */
export function formatNumber(text: string): string {
  const digits = only(text)
  const cut = digits.slice(0, Math.max(...lengths(digits)))
  const groups =
    brandOf(cut) === 'amex' || (brandOf(cut) === 'diners' && cut.length <= 14) ? [4, 6, 5] : [4, 4, 4, 4, 3]
  const out: string[] = []
  let from = 0
  for (const size of groups) {
    if (from < cut.length) out.push(cut.slice(from, from + size))
    from += size
  }
  return out.join(' ')
}

/** State of the number field. `left`: the field lost focus, so an unfinished number is an error. */
export function checkNumber(text: string, left: boolean): FieldState {
  const digits = only(text)
  const fits = lengths(digits).includes(digits.length)
  const full = digits.length >= Math.max(...lengths(digits))
  const complete = fits && luhn(digits)
  const code = complete ? undefined : full ? 'invalid_number' : left && digits !== '' ? 'incomplete_number' : undefined
  return { empty: digits === '', complete, error: code ? fieldError(code) : undefined }
}

/** `MM / YY`; a first digit above 1 gets its zero. */
export function formatExpiry(text: string, deleting = false): string {
  let digits = only(text)
  if (/^[2-9]/.test(digits)) digits = `0${digits}`
  if (/^(1[3-9])/.test(digits)) digits = `01${digits.slice(1)}`
  if (/^\d{2}20\d{2}$/.test(digits)) digits = digits.slice(0, 2) + digits.slice(4)
  const [month, year] = [digits.slice(0, 2), digits.slice(2, 4)]
  if (month.length < 2 || (deleting && year === '')) return month
  return `${month} / ${year}`
}

/** State of the expiry field at a date. */
export function checkExpiry(text: string, left: boolean, today: Date): FieldState {
  const digits = only(text)
  if (digits.length < 4)
    return {
      empty: digits === '',
      complete: false,
      error: left && digits !== '' ? fieldError('incomplete_expiry') : undefined,
    }
  const month = Number(digits.slice(0, 2))
  const year = 2000 + Number(digits.slice(2, 4))
  const now = today.getFullYear()
  const code =
    month < 1 || month > 12
      ? 'incomplete_expiry'
      : year < now
        ? 'invalid_expiry_year_past'
        : year === now && month < today.getMonth() + 1
          ? 'invalid_expiry_month_past'
          : year > now + 50
            ? 'invalid_expiry_year'
            : undefined
  return { empty: false, complete: code === undefined, error: code ? fieldError(code) : undefined }
}

/** State of the security code; American Express has four digits, others three. */
export function checkCvc(text: string, left: boolean, brand: string): FieldState {
  const digits = only(text)
  const complete =
    brand === 'amex' ? digits.length === 4 : brand === 'unknown' ? digits.length >= 3 : digits.length === 3
  return {
    empty: digits === '',
    complete,
    error: !complete && left && digits !== '' ? fieldError('incomplete_cvc') : undefined,
  }
}
