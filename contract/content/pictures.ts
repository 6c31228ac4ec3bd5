import { z } from 'zod'
import { flag, key, optionalText, text } from './fields.ts'

/** A picture from the content lake. `alt` is empty only for decoration. */
export interface Picture {
  url: string
  width: number
  height: number
  alt: string
}

/** Rich text as Sanity's Portable Text blocks; rendered by @portabletext/to-html. */
export type RichText = readonly Record<string, unknown>[]

const fraction = z.number().min(0).max(1)
/** An image field as Sanity stores it; `crop` in fractions of the original. */
const image = z.object({
  asset: z.object({ _ref: z.string() }),
  alt: z.string().nullish(),
  crop: z.object({ left: fraction, right: fraction, top: fraction, bottom: fraction }).nullish(),
  hotspot: z.object({ x: fraction, y: fraction, width: fraction, height: fraction }).nullish(),
})

type SanityImage = z.infer<typeof image>

/** The address and size of a picture; undefined when its asset is not a Sanity image. */
export type Pictures = (image: SanityImage) => Picture | undefined

/** The building blocks with pictures, for one content address. */
export function pictureFields(pictures: Pictures) {
  const required: z.ZodType<Picture> = image.transform((value, context) => {
    const picture = pictures(value)
    if (picture === undefined) context.addIssue({ code: 'custom', message: 'holds a picture that does not exist' })
    return picture ?? z.NEVER
  })
  // an image field that was cleared in the Studio keeps its alt text but has no asset
  const picture: z.ZodType<Picture | null> = z.preprocess(
    (value) => ((value as { asset?: unknown } | null | undefined)?.asset ? value : null),
    required.nullable(),
  )

  const testimonial = z
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

  const pressMention = z
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

type Pieces = ReturnType<typeof pictureFields>
export type Testimonial = z.infer<Pieces['testimonial']>
export type PressMention = z.infer<Pieces['pressMention']>
