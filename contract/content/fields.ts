import { z } from 'zod'

/** The building blocks of documents. Sanity omits empty fields or sends null: both mean "not set". */

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

/**
 * An object that an editor switches off by clearing the texts named here: null then. What else it still holds, such as
 * the tone of a feedback, says nothing by itself.
 */
export function unlessCleared<T>(object: z.ZodType<T>, ...texts: string[]): z.ZodType<T | null> {
  const isSet = (value: unknown) => typeof value === 'string' && value.trim() !== ''
  return z.preprocess(
    (value) =>
      texts.some((name) => isSet((value as Record<string, unknown> | null | undefined)?.[name])) ? value : null,
    object.nullable(),
  )
}

/** A statement that must be true (K-05), with its source: a study, a law or our own data. */
export const claim = z.object({ text, source: optionalText })
export type Claim = z.infer<typeof claim>

export const seo = z.object({ title: text, description: text })
export type Seo = z.infer<typeof seo>

/** An optional list: empty when not set. */
export function listOf<T>(item: z.ZodType<T>): z.ZodType<T[]> {
  return z
    .array(item)
    .nullish()
    .transform((value) => value ?? [])
}

/** Array items have Sanity's `_key`; pages get it as `key` (the address for click-to-edit). */
export function keyed<T extends object>(fields: z.ZodType<T>): z.ZodType<T & { key: string }> {
  return z
    .intersection(z.object({ _key: key }), fields)
    .transform(({ _key, ...rest }) => ({ ...(rest as T), key: _key }))
}

/** References to removed or unpublished documents come back as null. */
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
