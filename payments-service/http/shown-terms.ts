import { z } from 'zod'
import type { ShownTerms } from '../../contract/terms.ts'

const cents = z.number().int().min(0)

/** The figures beside a pay button, as a page sends them and as terms_changed answers with. */
export const shown: z.ZodType<ShownTerms> = z.strictObject({
  now: cents,
  firstFull: z.strictObject({ amount: cents, on: z.iso.date(), everyDays: z.number().int().min(1) }).nullable(),
  timeZone: z.string().max(100),
})
