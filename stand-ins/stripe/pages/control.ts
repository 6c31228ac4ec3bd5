// The JSON control API under /_sandbox/, for tests and the operator page: who may ask, and for what.
import { type Engine } from '../engine.ts'
import { type Faults } from '../faults.ts'
import { type Wallets } from '../wallets.ts'
import { StripeFail } from '../http/errors.ts'
import { bad, CONTROLS } from './controls.ts'
import { json, type PageReply, type PageRequest } from './page-reply.ts'

function body(request: PageRequest): Record<string, unknown> | undefined {
  if (request.body === '') return {}
  try {
    const parsed: unknown = JSON.parse(request.body)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** Answers `/_sandbox/…`. */
export async function control(
  engine: Engine,
  faults: Faults,
  wallets: Wallets,
  request: PageRequest,
): Promise<PageReply> {
  const { method, path, query } = request
  // A page of another site in the operator's browser must not control the sandbox.
  const asker = request.headers.origin
  if (asker !== undefined && (!URL.canParse(asker) || new URL(asker).host !== request.headers.host)) {
    return json(403, { error: { message: 'from this address only' } })
  }
  const input = body(request)
  if (!input) return bad('The body must be a JSON object')
  const name = `${method} ${path.slice('/_sandbox/'.length)}`
  const answer = CONTROLS[name]
  if (!answer) return json(404, { error: { message: `no such control: ${name}` } })
  try {
    return await answer({ engine, faults, wallets, input, query })
  } catch (error) {
    if (!(error instanceof StripeFail)) throw error
    return json(error.status, { error: { message: error.message } })
  }
}
