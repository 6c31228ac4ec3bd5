import { z } from 'zod'
import { ADD_ON_IDS } from '../../contract/catalogue.ts'
import type {
  AccountContent,
  AdvertorialContent,
  CheckoutContent,
  LandingContent,
  LegalPage,
  OfferContent,
  ReadingContent,
  Settings,
  UpsellContent,
} from '../../contract/content.ts'
import { claim, flag, keyed, listOf, optionalText, pictureFields, references, seo, text, texts } from './fields.ts'
import type { Pictures } from './picture.ts'

const day = z.iso.date('is no date')
const path = z.string().regex(/^\/[a-z0-9-]+(\/[a-z0-9-]+)*$/, 'is no path like /women-over60')

export const settingsSchema: z.ZodType<Settings> = z.object({
  productName: text,
  brandName: text,
  company: z.object({ name: text, address: text, country: text }),
  contactEmail: z.email('is no e-mail address'),
  gtmId: optionalText,
  metaPixelId: optionalText,
  marketingPretickedCountries: listOf(text),
  healthConsentRegions: listOf(text),
  strictBuyingCountries: listOf(text),
  readingEnabled: flag,
  advertorialLabel: optionalText,
  healthConsentText: text,
  marketingConsentText: text,
  consentVersion: text,
})

export function landingSchema(pictures: Pictures): z.ZodType<LandingContent> {
  const { picture } = pictureFields(pictures)
  return z.object({
    seo,
    heading: text,
    intro: text,
    benefits: z.array(claim).min(1, 'needs at least one benefit'),
    ageQuestion: text,
    beforeLabel: text,
    afterLabel: text,
    comparison: picture,
    comparisonBefore: picture,
    comparisonAfter: picture,
    footnote: optionalText,
  })
}

export function checkoutSchema(pictures: Pictures): z.ZodType<CheckoutContent> {
  const { testimonial } = pictureFields(pictures)
  return z.object({
    seo,
    heading: text,
    countdownText: text,
    cardTitle: text,
    timelineTitle: text,
    timeline: z.array(keyed(z.object({ title: text, text, locked: flag }))).min(1, 'needs at least one week'),
    featuresTitle: text,
    features: texts,
    testimonialsTitle: text,
    testimonials: references(testimonial),
    rating: z.preprocess(
      // C-07: cleared by the editor = hidden
      (value) => ((value as { text?: string } | null | undefined)?.text?.trim() ? value : null),
      claim.nullable(),
    ),
    audioTitle: text,
    audioText: text,
    audioUrl: optionalText,
    audioTranscript: optionalText,
    faqTitle: text,
    faq: z.array(keyed(z.object({ question: text, answer: text }))).min(1, 'needs at least one question'),
    guaranteeTitle: text,
    guaranteeText: text,
    orderButton: text,
  })
}

export const offerSchema: z.ZodType<OfferContent> = z.object({
  introTitle: text,
  introText: text,
  introButton: text,
  introDecline: text,
  detailsTitle: text,
  detailsText: text,
  detailsPoints: texts,
  detailsButton: text,
})

export function upsellSchema(pictures: Pictures): z.ZodType<UpsellContent> {
  const { testimonial } = pictureFields(pictures)
  const addOn = z.object({ id: z.enum(ADD_ON_IDS), name: text, emoji: text, description: text, label: text })
  return z.object({
    title: text,
    intro: text,
    benefits: texts,
    addOns: z.array(addOn).superRefine((items, context) => {
      for (const id of ADD_ON_IDS) {
        const count = items.filter((item) => item.id === id).length
        if (count !== 1)
          context.addIssue({ code: 'custom', message: `names the product ${id} ${count} times, not once` })
      }
    }),
    testimonials: references(testimonial),
    addButton: text,
    skipButton: text,
  })
}

export const accountSchema: z.ZodType<AccountContent> = z.object({
  title: text,
  intro: text,
  button: text,
  thankYouTitle: text,
  thankYouText: text,
  featuresTitle: text,
  features: texts,
  startButton: text,
  defaultProgrammeTitle: text,
})

export function advertorialSchema(pictures: Pictures): z.ZodType<AdvertorialContent> {
  const { picture, richText } = pictureFields(pictures)
  return z
    .object({
      _id: z.string(),
      path,
      seo,
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

export function legalPageSchema(pictures: Pictures): z.ZodType<LegalPage> {
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

export const readingSchema: z.ZodType<ReadingContent> = z.object({
  titles: z.array(z.object({ insight: text, title: text, text })).min(1, 'needs at least one title'),
  defaultTitle: text,
  defaultText: text,
  packageTitle: text,
  packageText: text,
  companyLine: text,
  moneyBackLine: text,
  button: text,
  payTitle: text,
  secureNotes: texts,
})
