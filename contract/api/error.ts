import { z } from 'zod'
import { ERROR_CODES } from '../errors.ts'
import { termsShown } from './order.ts'

/** The JSON of every error answer. */
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
