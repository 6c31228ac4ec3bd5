import type { AddOnId } from './catalogue.ts'
import type { Claim, Faq, Picture, RichText, Seo, Testimonial } from './content-parts.ts'
import type { TimelineWeek } from './quiz-content.ts'

/**
 * The content of the pages as they receive it: what an editor writes in the Studio, parsed, with references
 * resolved. Texts may carry {placeholders}; pages fill them. Types only; the parser that names a broken
 * document and field is src/cms.
 */

export type * from './content-parts.ts'
export type * from './quiz-content.ts'

export interface Settings {
  productName: string
  brandName: string
  company: { name: string; address: string; country: string }
  contactEmail: string
  gtmId: string | null
  metaPixelId: string | null
  /** Two-letter countries in which the marketing checkbox may come pre-ticked (C-11). */
  marketingPretickedCountries: string[]
  /** Countries (and "US-WA" like states) whose visitors are asked before health answers leave the browser (D-13). */
  healthConsentRegions: string[]
  /** Countries with the stricter buying rules (H-02). */
  strictBuyingCountries: string[]
  readingEnabled: boolean
  advertorialLabel: string | null
  /** Words of the health consent on Welcome, the marketing checkbox and the renewal agreement, with their version. */
  healthConsentText: string
  marketingConsentText: string
  consentVersion: string
}

export interface LandingContent {
  seo: Seo
  heading: string
  intro: string
  benefits: Claim[]
  ageQuestion: string
  beforeLabel: string
  afterLabel: string
  comparison: Picture | null
  /** The two halves of the slider, one size (L-02); `comparison` is both in one picture, for no JavaScript. */
  comparisonBefore: Picture | null
  comparisonAfter: Picture | null
  footnote: string | null
}

export interface CheckoutContent {
  seo: Seo
  heading: string
  countdownText: string
  cardTitle: string
  timelineTitle: string
  timeline: TimelineWeek[]
  featuresTitle: string
  features: string[]
  testimonialsTitle: string
  testimonials: Testimonial[]
  /** C-07, null hides it. */
  rating: Claim | null
  audioTitle: string
  audioText: string
  audioUrl: string | null
  audioTranscript: string | null
  faqTitle: string
  faq: Faq[]
  guaranteeTitle: string
  guaranteeText: string
  orderButton: string
}

export interface OfferContent {
  introTitle: string
  introText: string
  introButton: string
  introDecline: string
  detailsTitle: string
  detailsText: string
  detailsPoints: string[]
  detailsButton: string
}

export interface AddOnCopy {
  id: AddOnId
  name: string
  emoji: string
  description: string
  label: string
}

export interface UpsellContent {
  title: string
  intro: string
  benefits: string[]
  addOns: AddOnCopy[]
  testimonials: Testimonial[]
  addButton: string
  skipButton: string
}

export interface AccountContent {
  title: string
  intro: string
  button: string
  thankYouTitle: string
  thankYouText: string
  featuresTitle: string
  features: string[]
  startButton: string
  defaultProgrammeTitle: string
}

export interface AdvertorialContent {
  id: string
  path: string
  seo: Seo
  /** Value of the bare utm parameter of its links. */
  utm: string
  headline: string
  standfirst: string
  publishedAt: string
  author: { name: string; role: string; bio: string; picture: Picture | null }
  cover: Picture | null
  body: RichText
  bannerText: string
  bannerButton: string
  ctaText: string
  ctaButton: string
  comments: { key: string; name: string; text: string; daysAgo: number; likes: number }[]
  sample: boolean
}

export interface LegalPage {
  id: string
  slug: string
  title: string
  description: string
  updatedAt: string
  body: RichText
}

export interface ReadingContent {
  titles: { insight: string; title: string; text: string }[]
  defaultTitle: string
  defaultText: string
  packageTitle: string
  packageText: string
  companyLine: string
  moneyBackLine: string
  button: string
  payTitle: string
  secureNotes: string[]
}
