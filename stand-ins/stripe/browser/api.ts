// Calls from the page to the sandbox, on the script's origin.
export interface StripeError {
  type: string
  message: string
  code?: string
  [name: string]: unknown
}
export interface IntentObject {
  id: string
  object: 'payment_intent' | 'setup_intent'
  status: string
  client_secret: string
  next_action: { type: string; redirect_to_url?: { url: string | null; return_url: string | null } } | null
  last_payment_error?: StripeError | null
  last_setup_error?: StripeError | null
  [name: string]: unknown
}
export type Answer<T> = { value: T; error?: undefined } | { error: StripeError; value?: undefined }

function append(out: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined) return
  if (Array.isArray(value)) value.forEach((one, index) => append(out, `${name}[${index}]`, one))
  else if (value !== null && typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) append(out, name === '' ? key : `${name}[${key}]`, inner)
  } else out.append(name, value === null ? '' : String(value))
}

/** Form-encodes with brackets, as Stripe's API reads it. */
export function encode(params: Record<string, unknown>): string {
  const out = new URLSearchParams()
  append(out, '', params)
  return out.toString()
}

export class PageApi {
  readonly base: string
  private readonly key: string

  constructor(base: string, key: string) {
    this.base = base
    this.key = key
  }

  async call<T>(method: 'GET' | 'POST', path: string, params: Record<string, unknown>): Promise<Answer<T>> {
    const form = encode(params)
    try {
      const reply = await fetch(`${this.base}${path}${method === 'GET' ? `?${form}` : ''}`, {
        method,
        headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/x-www-form-urlencoded' },
        ...(method === 'POST' ? { body: form } : {}),
        credentials: 'omit',
      })
      const body = (await reply.json()) as T & { error?: StripeError }
      return body.error ? { error: body.error } : { value: body }
    } catch {
      return {
        error: {
          type: 'api_connection_error',
          message:
            'We are experiencing issues connecting to our payments provider. Please check your internet ' +
            'connection and try again.',
        },
      }
    }
  }

  /** The wallets of this device: what the operator has switched on. */
  async wallets(): Promise<string[]> {
    try {
      const reply = await fetch(`${this.base}/wallets`, { credentials: 'omit' })
      return ((await reply.json()) as { offered?: string[] }).offered ?? []
    } catch {
      return []
    }
  }

  /** Says how the buyer left the 3-D Secure dialog. */
  async answer(intent: IntentObject, answer: 'complete' | 'fail'): Promise<Answer<IntentObject>> {
    return this.call('POST', '/answer', { intent: intent.id, client_secret: intent.client_secret, answer })
  }

  retrieve(secret: string): Promise<Answer<IntentObject>> {
    return this.call('GET', pathOf(secret), { client_secret: secret })
  }
}

/** `/v1/payment_intents/pi_1` or `/v1/setup_intents/seti_1` from a client secret. */
export function pathOf(secret: string): string {
  const id = secret.split('_secret_')[0] ?? ''
  return id.startsWith('seti_') ? `/v1/setup_intents/${id}` : `/v1/payment_intents/${id}`
}
