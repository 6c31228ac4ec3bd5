// A call of the parity run and its answer.
import { API_VERSION } from './types.ts'

export type Json = Record<string, unknown>
export interface Step {
  name: string
  path: string
  method: string
  params?: Json
  expected_error_type?: string
}
export interface Answer {
  status: number
  body: Json
}

function form(out: URLSearchParams, name: string, value: unknown): void {
  if (Array.isArray(value)) value.forEach((one, index) => form(out, `${name}[${index}]`, one))
  else if (value !== null && typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) form(out, name === '' ? key : `${name}[${key}]`, inner)
  } else out.append(name, String(value))
}

/** Sends one call with form parameters in the version of the code. */
export async function send(base: string, key: string, step: Omit<Step, 'name'>): Promise<Answer> {
  const params = new URLSearchParams()
  form(params, '', step.params ?? {})
  const post = step.method === 'post'
  const reply = await fetch(`${base}${step.path}${post || params.size === 0 ? '' : `?${params.toString()}`}`, {
    method: step.method.toUpperCase(),
    headers: {
      authorization: `Bearer ${key}`,
      'stripe-version': API_VERSION,
      'content-type': 'application/x-www-form-urlencoded',
    },
    ...(post ? { body: params.toString() } : {}),
  })
  return { status: reply.status, body: (await reply.json()) as Json }
}
