// Who calls: the secret key, the publishable key, or an unknown caller.
import { type ApiRequest, type Keys } from './api-call.ts'
import { StripeFail } from './errors.ts'
import { type FormObject } from './form.ts'

/** The key of a call: Bearer, Basic, or the form's `key`. */
export function credential(request: ApiRequest, form: FormObject): string | undefined {
  const [scheme, value = ''] = request.authorization?.split(' ') ?? []
  if (scheme?.toLowerCase() === 'bearer') return value
  if (scheme?.toLowerCase() === 'basic') return Buffer.from(value, 'base64').toString('utf8').split(':')[0]
  return typeof form['key'] === 'string' ? form['key'] : undefined
}

function masked(key: string): string {
  return key.length <= 12
    ? '*'.repeat(key.length)
    : `${key.slice(0, 8)}${'*'.repeat(Math.max(4, key.length - 12))}${key.slice(-4)}`
}

/** 'server' for the secret key, 'browser' for the publishable; else Stripe's 401. */
export function caller(key: string | undefined, keys: Keys): 'server' | 'browser' {
  if (key === undefined || key === '') {
    throw new StripeFail(401, {
      type: 'invalid_request_error',
      message:
        'You did not provide an API key. You need to provide your API key in the Authorization header, using ' +
        "Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See " +
        'https://stripe.com/docs/api#authentication for details, or we can help at ' +
        'https://support.stripe.com/.',
    })
  }
  if (key === keys.secretKey) return 'server'
  if (key === keys.publishableKey) return 'browser'
  throw new StripeFail(401, { type: 'invalid_request_error', message: `Invalid API Key provided: ${masked(key)}` })
}
