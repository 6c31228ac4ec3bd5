import type { EndpointName } from './api/shapes.ts'
import { endpoint, type Endpoint } from './endpoint.ts'

/** What the Studio asks of the service, with the sign-in of the editor who looks at it. */
export type * from './api/numbers.ts'

export const editorsApi = {
  /** Takes `from`, `to` (UTC days), `source`, `language`, `device` and `revision`, like the page /operator/steps. */
  stepNumbers: endpoint('GET', '/api/numbers/steps'),
  /** Takes the same; a revision is one of the document that a page is made of. */
  pageNumbers: endpoint('GET', '/api/numbers/pages'),
} as const satisfies Partial<Record<EndpointName, Endpoint>>
