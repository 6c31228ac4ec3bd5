import { z } from 'zod'
import type { Claim, Picture, PressMention, RichText, Seo, Testimonial } from '../../contract/content.ts'
import type { Pictures } from './picture.ts'

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

export const claim: z.ZodType<Claim> = z.object({ text, source: optionalText })
export const seo: z.ZodType<Seo> = z.object({ title: text, description: text })

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

const fraction = z.number().min(0).max(1)
const image = z.object({
  asset: z.object({ _ref: z.string() }),
  alt: z.string().nullish(),
  crop: z.object({ left: fraction, right: fraction, top: fraction, bottom: fraction }).nullish(),
  hotspot: z.object({ x: fraction, y: fraction, width: fraction, height: fraction }).nullish(),
})

/** The pieces that show pictures, for one content address. */
export function pictureFields(pictures: Pictures) {
  const required: z.ZodType<Picture> = image.transform((value, context) => {
    const picture = pictures(value)
    if (picture === undefined) context.addIssue({ code: 'custom', message: 'holds a picture that does not exist' })
    return picture ?? z.NEVER
  })
  // an image field that was emptied in the Studio keeps its alt text but has no asset
  const picture: z.ZodType<Picture | null> = z.preprocess(
    (value) => ((value as { asset?: unknown } | null | undefined)?.asset ? value : null),
    required.nullable(),
  )

  const testimonial: z.ZodType<Testimonial> = z
    .object({
      _id: z.string(),
      name: text,
      age: z.number().int().min(18).max(110).nullish(),
      place: optionalText,
      quote: text,
      stars: z.number().int().min(1).max(5),
      picture,
      verified: flag,
      provenance: optionalText,
      sample: flag,
    })
    .transform(({ _id, age, verified, provenance, ...rest }) => ({
      id: _id,
      ...rest,
      age: age ?? null,
      // S-32: the tag shows only when the editor has set it, with a source
      verified: verified && provenance !== null,
    }))

  const pressMention: z.ZodType<PressMention> = z
    .object({ _id: z.string(), outlet: text, quote: text, logo: picture, sample: flag })
    .transform(({ _id, ...rest }) => ({ id: _id, ...rest }))

  const pictureBlock = z
    .looseObject({ _type: z.literal('picture'), _key: key, caption: optionalText })
    .transform((block, context) => {
      const parsed = required.safeParse(block)
      if (!parsed.success) context.addIssue({ code: 'custom', message: 'holds no picture' })
      return { _type: block._type, _key: block._key, caption: block.caption, picture: parsed.data ?? null }
    })
  const textBlock = z.looseObject({
    _type: z.literal('block'),
    _key: key,
    children: z.array(z.looseObject({ _type: z.string(), text: z.string() })).min(1, 'is empty'),
  })
  const pullQuote = z.looseObject({ _type: z.literal('pullQuote'), _key: key, text })
  const callToAction = z.looseObject({ _type: z.literal('callToAction'), _key: key, text, button: text })
  /**
   * Portable Text: `block`; `picture` → `{ _type, _key, caption, picture: Picture }`; `pullQuote` → `{ text,
   * attribution? }`; `callToAction` → `{ text, button }`.
   */
  const richText: z.ZodType<RichText> = z
    .array(
      z.union([textBlock, pullQuote, callToAction, pictureBlock], {
        error: 'holds a block that pages cannot show, or one with an empty field',
      }),
    )
    .min(1, 'is empty')

  return { picture, testimonial, pressMention, richText }
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
