import { api } from './api.ts'
import type { EndpointName } from './api/shapes.ts'
import type { Endpoint } from './endpoint.ts'
import { membersApi } from './members.ts'

/**
 * The addresses of every endpoint. The pages of the funnel import api.ts and those of the members members.ts: neither
 * carries the other.
 */
export const wholeApi = { ...api, ...membersApi } as const satisfies Record<EndpointName, Endpoint>
