/**
 * Every endpoint: a line of description, the parser of its body (if it takes one) and the shape of its answer. The
 * service parses by these and documents them, tests check every answer against them, and all request and answer types
 * are inferred from them. Bodies ignore unknown fields unless money is involved; answers are strict. The browser
 * imports only types from this folder, because zod would outweigh the pages (enforced by lint).
 */
import type { z } from 'zod'
import { accountShapes } from './account.ts'
import { addOnShapes } from './add-ons.ts'
import { exitShapes } from './exit.ts'
import { mailLinkShapes } from './mail-links.ts'
import { numbersShapes } from './numbers.ts'
import { paymentShapes } from './payment.ts'
import { programmeShapes } from './programme.ts'
import { readingShapes } from './reading.ts'
import { siteShapes } from './site.ts'
import { subscriptionShapes } from './subscription.ts'
import { trackingShapes } from './tracking.ts'
import { visitShapes } from './visit.ts'

export interface Shape {
  summary: string
  request?: z.ZodType
  answer: z.ZodType
}

export const shapes = {
  ...siteShapes,
  ...visitShapes,
  ...trackingShapes,
  ...paymentShapes,
  ...addOnShapes,
  ...readingShapes,
  ...accountShapes,
  ...subscriptionShapes,
  ...programmeShapes,
  ...mailLinkShapes,
  ...exitShapes,
  ...numbersShapes,
} satisfies Record<string, Shape>

type Shapes = typeof shapes
export type EndpointName = keyof Shapes
/** The parsed body of an endpoint; void: it takes none. */
export type RequestOf<N extends EndpointName> = Shapes[N] extends { request: z.ZodType<infer Body> } ? Body : void
export type ResponseOf<N extends EndpointName> = z.infer<Shapes[N]['answer']>
