import { z } from 'zod'

/** The pieces that documents are made of. Sanity leaves empty fields out or null: both mean "not set". */

export const text = z.string().trim().min(1, 'is empty')
export const optionalText: z.ZodType<string | null> = z
  .string()
  .nullish()
  .transform((value) => value?.trim() || null)
export const flag: z.ZodType<boolean> = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false)
export const key = z.string().min(1, 'has no key')
export const texts = z.array(text).min(1, 'needs at least one entry')

/** A statement that has to be true (K-05): where it stands in a study, law or our own data. */
export const claim = z.object({ text, source: optionalText })
export type Claim = z.infer<typeof claim>

export const seo = z.object({ title: text, description: text })
export type Seo = z.infer<typeof seo>

/** An optional list: not set is empty. */
export function listOf<T>(item: z.ZodType<T>): z.ZodType<T[]> {
  return z
    .array(item)
    .nullish()
    .transform((value) => value ?? [])
}

/** Array items carry Sanity's `_key`; pages know it as `key` (the address for click-to-edit). */
export function keyed<T extends object>(fields: z.ZodType<T>): z.ZodType<T & { key: string }> {
  return z
    .intersection(z.object({ _key: key }), fields)
    .transform(({ _key, ...rest }) => ({ ...(rest as T), key: _key }))
}

/** References that were removed or are unpublished come back as null. */
export function references<T>(document: z.ZodType<T>): z.ZodType<T[]> {
  return z
    .array(
      z
        .unknown()
        .superRefine((value, context) => {
          if (value === null)
            context.addIssue({
              code: 'custom',
              message: 'points to a document that does not exist or is not published',
            })
        })
        .pipe(document),
    )
    .nullish()
    .transform((value) => value ?? [])
}
