import { z } from 'zod'
import { ERROR_CODES } from '../errors.ts'
import { termsShown } from './order.ts'

/** What every error answer carries as JSON. */
export const errorBody = z.strictObject({
  error: z.strictObject({
    code: z.enum(ERROR_CODES),
    message: z.string(),
    /** The part of the body or path that was wrong. */
    field: z.string().exactOptional(),
    requestId: z.string().exactOptional(),
    /** With terms_changed: what would be charged now. */
    terms: termsShown.exactOptional(),
  }),
})
export type ErrorBody = z.infer<typeof errorBody>
