import { api } from './api.ts'
import type { EndpointName } from './api/shapes.ts'
import { editorsApi } from './editors.ts'
import type { Endpoint } from './endpoint.ts'
import { membersApi } from './members.ts'

/**
 * Every endpoint. The funnel's pages import api.ts and the members' pages members.ts, so that neither loads the other.
 */
export const wholeApi = { ...api, ...membersApi, ...editorsApi } as const satisfies Record<EndpointName, Endpoint>
