/** Pieces of bodies and answers that many routes share. */
import { z } from 'zod'
import type { Done } from '../../contract/api.ts'

/** PostgreSQL's text cannot hold a NUL. */
export const text = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((value) => !value.includes('\0'), 'holds a NUL')

export const done: z.ZodType<Done> = z.object({ done: z.literal(true) })
