import { z } from 'zod'
import { flag, keyed, listOf, seo, text } from './fields.ts'
import { pictureFields, type Pictures } from './pictures.ts'

const day = z.iso.date('is no date')
const path = z.string().regex(/^\/[a-z0-9-]+(\/[a-z0-9-]+)*$/, 'is no path like /women-over60')

export function advertorialSchema(pictures: Pictures) {
  const { picture, richText } = pictureFields(pictures)
  return z
    .object({
      _id: z.string(),
      path,
      seo,
      /** Value of the bare utm parameter of its links. */
      utm: text,
      headline: text,
      standfirst: text,
      publishedAt: day,
      author: z.object({ name: text, role: text, bio: text, picture }),
      cover: picture,
      body: richText,
      bannerText: text,
      bannerButton: text,
      ctaText: text,
      ctaButton: text,
      comments: listOf(
        keyed(z.object({ name: text, text, daysAgo: z.number().int().min(0), likes: z.number().int().min(0) })),
      ),
      sample: flag,
    })
    .transform(({ _id, ...rest }) => ({ id: _id, ...rest }))
}
export type AdvertorialContent = z.infer<ReturnType<typeof advertorialSchema>>

export function legalPageSchema(pictures: Pictures) {
  const { richText } = pictureFields(pictures)
  return z
    .object({
      _id: z.string(),
      slug: z.string().regex(/^[a-z0-9-]+$/, 'is no address like money-back-guarantee'),
      title: text,
      description: text,
      updatedAt: day,
      body: richText,
    })
    .transform(({ _id, ...rest }) => ({ id: _id, ...rest }))
}
export type LegalPage = z.infer<ReturnType<typeof legalPageSchema>>
