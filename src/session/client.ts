import { api, pathOf, type ApiName, type BrowserConfig, type RequestOf, type ResponseOf } from '../../contract/api.ts'
import { request, type Outcome, type RequestOptions } from './http.ts'

export interface CallOptions<N extends ApiName> extends RequestOptions {
  /** Values of the {names} in the path. */
  path?: Readonly<Record<string, string>>
  body?: RequestOf<N>
}

/** Calls one endpoint of contract/api.ts. Never throws; see Outcome. */
export function call<N extends ApiName>(name: N, options: CallOptions<N> = {}): Promise<Outcome<ResponseOf<N>>> {
  const { method, path } = api[name]
  return request(method, pathOf(path, options.path), options.body, options)
}

let config: Promise<Outcome<BrowserConfig>> | undefined

/** Run-time configuration, requested once a page; after a failure the next caller requests it again. */
export function browserConfig(): Promise<Outcome<BrowserConfig>> {
  config ??= call('config', { timeoutMs: 8_000 }).then((outcome) => {
    if (!outcome.ok) config = undefined
    return outcome
  })
  return config
}
