import { api } from './api.ts'
import type { Endpoint } from './endpoint.ts'
import { membersApi } from './members.ts'

/**
 * Every endpoint. The pages of the funnel import api.ts and those of the members members.ts: neither carries the other.
 */
export const wholeApi = { ...api, ...membersApi } as const

export type WholeApi = typeof wholeApi
export type ApiName = keyof WholeApi
export type RequestOf<N extends ApiName> = WholeApi[N] extends Endpoint<infer Request, unknown> ? Request : never
export type ResponseOf<N extends ApiName> = WholeApi[N] extends Endpoint<infer _, infer Response> ? Response : never
