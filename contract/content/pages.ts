import { z } from 'zod'
import { ADD_ON_IDS } from '../catalogue.ts'
import { claim, flag, keyed, listOf, optionalText, references, seo, text, texts, unlessCleared } from './fields.ts'
import { pictureFields, type Pictures } from './pictures.ts'

export const settingsSchema = z.object({
  productName: text,
  brandName: text,
  company: z.object({ name: text, address: text, country: text }),
  contactEmail: text.pipe(z.email('is no e-mail address')),
  gtmId: optionalText,
  metaPixelId: optionalText,
  /** Two-letter countries in which the marketing checkbox may come pre-ticked (C-11). */
  marketingPretickedCountries: listOf(text),
  /** Countries (and states such as "US-WA") whose visitors are asked before health answers leave the browser (D-13). */
  healthConsentRegions: listOf(text),
  /** Countries with the stricter buying rules (H-02). */
  strictBuyingCountries: listOf(text),
  readingEnabled: flag,
  advertorialLabel: optionalText,
  /** Words of the health consent on Welcome, the marketing checkbox and the renewal agreement, with their version. */
  healthConsentText: text,
  marketingConsentText: text,
  consentVersion: text,
})
export type Settings = z.infer<typeof settingsSchema>

export function landingSchema(pictures: Pictures) {
  const { picture } = pictureFields(pictures)
  return z.object({
    _rev: optionalText,
    seo,
    heading: text,
    intro: text,
    benefits: z.array(claim).min(1, 'needs at least one benefit'),
    ageQuestion: text,
    beforeLabel: text,
    afterLabel: text,
    comparison: picture,
    /**
     * The two halves of the slider, of the same size (L-02); `comparison` shows both in one picture, without
     * JavaScript.
     */
    comparisonBefore: picture,
    comparisonAfter: picture,
    footnote: optionalText,
  })
}
export type LandingContent = z.infer<ReturnType<typeof landingSchema>>

const timelineWeek = keyed(z.object({ title: text, text, locked: flag }))
export type TimelineWeek = z.infer<typeof timelineWeek>

const faq = keyed(z.object({ question: text, answer: text }))
export type Faq = z.infer<typeof faq>

export function checkoutSchema(pictures: Pictures) {
  const { testimonial } = pictureFields(pictures)
  return z.object({
    _rev: optionalText,
    seo,
    heading: text,
    countdownText: text,
    cardTitle: text,
    timelineTitle: text,
    timeline: z.array(timelineWeek).min(1, 'needs at least one week'),
    featuresTitle: text,
    features: texts,
    testimonialsTitle: text,
    testimonials: references(testimonial),
    // C-07: cleared by the editor = hidden
    rating: unlessCleared(claim, 'text'),
    audioTitle: text,
    audioText: text,
    audioUrl: optionalText,
    audioTranscript: optionalText,
    faqTitle: text,
    faq: z.array(faq).min(1, 'needs at least one question'),
    guaranteeTitle: text,
    guaranteeText: text,
    orderButton: text,
  })
}
export type CheckoutContent = z.infer<ReturnType<typeof checkoutSchema>>

export const offerSchema = z.object({
  _rev: optionalText,
  introTitle: text,
  introText: text,
  introButton: text,
  introDecline: text,
  detailsTitle: text,
  detailsText: text,
  detailsPoints: texts,
  detailsButton: text,
})
export type OfferContent = z.infer<typeof offerSchema>

const addOn = z.object({ id: z.enum(ADD_ON_IDS), name: text, emoji: text, description: text, label: text })
export type AddOnCopy = z.infer<typeof addOn>

export function upsellSchema(pictures: Pictures) {
  const { testimonial } = pictureFields(pictures)
  return z.object({
    _rev: optionalText,
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
export type UpsellContent = z.infer<ReturnType<typeof upsellSchema>>

export const accountSchema = z.object({
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
export type AccountContent = z.infer<typeof accountSchema>

export const readingSchema = z.object({
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
export type ReadingContent = z.infer<typeof readingSchema>
