// Which function answers which path.
import { type Schema } from '../schemas.ts'
import { type Tx } from '../state.ts'

/** What a handler receives besides its parameters. */
export interface Call {
  tx: Tx
  /** Values of `:name` in the path. */
  path: Record<string, string>
  /** Called with a publishable key from a page. */
  browser: boolean
  /** The sandbox's address as its callers see it. */
  origin: string
}

export interface Route {
  method: string
  pattern: string[]
  params: string | Schema
  /** May be called with the publishable key. */
  browser: boolean
  run: (call: Call, params: never) => unknown
}

export const routes: Route[] = []

/**
 * Declares an endpoint. `params` names a parameter set of the schema file, or is one of our own; the handler's
 * parameter type must be what that set admits.
 */
export function route<P>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  params: string | Schema,
  run: (call: Call, params: P) => unknown,
  options: { browser?: boolean } = {},
): void {
  routes.push({ method, pattern: path.split('/').slice(1), params, browser: options.browser ?? false, run })
}

function segments(path: string): string[] {
  try {
    return path.split('/').slice(1).map(decodeURIComponent)
  } catch {
    // an invalid escape: taken literally it is the id of nothing
    return path.split('/').slice(1)
  }
}

/** Finds the endpoint of a path such as `/v1/customers/cus_1`. */
export function match(
  method: string,
  path: string,
): { route: Route; path: Record<string, string> } | 'method' | undefined {
  const parts = segments(path)
  let other = false
  next: for (const candidate of routes) {
    if (candidate.pattern.length !== parts.length) continue
    const values: Record<string, string> = {}
    for (const [index, step] of candidate.pattern.entries()) {
      const part = parts[index] ?? ''
      if (step.startsWith(':')) values[step.slice(1)] = part
      else if (step !== part) continue next
    }
    if (candidate.method === method) return { route: candidate, path: values }
    other = true
  }
  return other ? 'method' : undefined
}
