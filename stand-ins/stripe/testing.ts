// What the sandbox's own tests share: a sandbox on a free port, the official SDK, and validation by Stripe's schemas.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import Stripe from 'stripe'
import { startSandbox, type Sandbox } from './sandbox.ts'
import { readSchemas } from './schemas.ts'

export const SECRET = 'sk_test_123456789012'
export const PUBLISHABLE = 'pk_test_123456789012'
export const WEBHOOK_SECRET = 'whsec_sandboxtest'

export interface World {
  sandbox: Sandbox
  stripe: Stripe
  dataDir: string
  /** Calls the control API. */
  control: (method: string, path: string, body?: unknown) => Promise<{ status: number; body: Record<string, unknown> }>
  /** A call as a page makes it, with the publishable key. */
  page: (
    method: 'GET' | 'POST',
    path: string,
    form: Record<string, string>,
  ) => Promise<{ status: number; body: Record<string, unknown> }>
  close: () => Promise<void>
}

/** The official SDK against a port, as the service uses it. */
export function sdk(port: number, options: { maxNetworkRetries?: number; timeout?: number } = {}): Stripe {
  return new Stripe(SECRET, {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
    ...options,
  })
}

export async function openWorld(options: { webhookUrl?: string; dataDir?: string } = {}): Promise<World> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'stripe-sandbox-'))
  const sandbox = await startSandbox({
    port: 0,
    dataDir,
    secretKey: SECRET,
    publishableKey: PUBLISHABLE,
    ...(options.webhookUrl ? { webhookUrl: options.webhookUrl, webhookSecret: WEBHOOK_SECRET } : {}),
  })
  return {
    sandbox,
    stripe: sdk(sandbox.port),
    dataDir,
    async control(method, path, body) {
      const reply = await fetch(`${sandbox.url}/_sandbox/${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
    },
    async page(method, path, form) {
      const text = new URLSearchParams(form).toString()
      const reply = await fetch(`${sandbox.url}/_stripe${path}${method === 'GET' ? `?${text}` : ''}`, {
        method,
        headers: { authorization: `Bearer ${PUBLISHABLE}`, 'content-type': 'application/x-www-form-urlencoded' },
        ...(method === 'POST' ? { body: text } : {}),
      })
      return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
    },
    async close() {
      await sandbox.close()
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

let judge: { ajv: Ajv; roots: Record<string, string> } | undefined
const compiled = new Map<string, ValidateFunction>()

/** The errors of an object by Stripe's schema (of SDK 23.1, API 2026-10-28.endive); empty when it is valid. */
export function schemaErrors(object: { object: string }): string[] {
  if (!judge) {
    const { roots, defs } = readSchemas()
    const ajv = new Ajv({ strict: false, allErrors: true })
    ajv.addSchema({ $id: 'stripe', $defs: defs })
    judge = { ajv, roots }
  }
  const name = object.object === 'test_helpers.test_clock' ? 'test_clock' : object.object
  const root = judge.roots[`Objects.${name}`]
  if (root === undefined) return []
  const validate =
    compiled.get(root) ??
    judge.ajv.compile({ $ref: `stripe#/$defs/${root.replaceAll('<', '%3C').replaceAll('>', '%3E')}` })
  compiled.set(root, validate)
  if (validate(JSON.parse(JSON.stringify(object)))) return []
  return (validate.errors ?? []).map((error) => `${object.object}${error.instancePath} ${error.message ?? ''}`)
}

export interface Inbox {
  url: string
  /** Raw deliveries, in order of arrival. */
  received: { body: string; signature: string }[]
  /** Statuses of the next answers; 200 when empty. */
  answers: number[]
  close: () => Promise<void>
}

/** An endpoint that takes webhooks. */
export async function openInbox(): Promise<Inbox> {
  const received: Inbox['received'] = []
  const answers: number[] = []
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      received.push({
        body: Buffer.concat(parts).toString('utf8'),
        signature: String(request.headers['stripe-signature']),
      })
      response.writeHead(answers.shift() ?? 200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answers,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Waits until a condition holds, at most five seconds. */
export async function until(condition: () => boolean | Promise<boolean>, ms = 5000): Promise<void> {
  const end = Date.now() + ms
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('waited in vain')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** The error a call of the SDK ends with. Throws when it succeeds. */
export async function failure(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call
  } catch (error) {
    return error as Stripe.errors.StripeError
  }
  throw new Error('the call succeeded')
}
