import type { AddOnId } from './catalogue.ts'

/**
 * The content of the pages as they receive it: what an editor writes in the Studio, parsed, with references
 * resolved. Texts may carry {placeholders}; pages fill them. Types only; the parser that names a broken
 * document and field is src/cms.
 */

/** A picture from the content lake. `alt` is empty only for decoration. */
export interface Picture {
  url: string
  width: number
  height: number
  alt: string
}

/** A statement that has to be true (K-05): where it stands in a study, law or our own data. */
export interface Claim {
  text: string
  source: string | null
}

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

export interface Seo {
  title: string
  description: string
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

export interface Testimonial {
  id: string
  name: string
  age: number | null
  place: string | null
  quote: string
  stars: number
  picture: Picture | null
  /** Shown as verified only when the editor has set it with a source. */
  verified: boolean
  sample: boolean
}

export interface PressMention {
  id: string
  outlet: string
  quote: string
  logo: Picture | null
  sample: boolean
}

/** Where a step leads: a step number, or a path that leaves the quiz. */
export type Next = number | `/${string}`

interface StepBase {
  /** Key of the array item: address for click-to-edit. */
  key: string
  title: string
  next: Next
}

export interface Option {
  key: string
  /** Stable; see contract/quiz.ts. */
  value: string
  label: string
  description?: string
  /** Name of a drawn icon of the site, or the colour of a swatch. */
  icon?: string
  feedback?: { status: 'good' | 'moderate' | 'caution' | 'warning'; title: string; text: string }
}

export interface QuestionStep extends StepBase {
  kind: 'question'
  storageKey: string
  /** May carry {symptoms}: the labels of the chosen symptoms (S-03). */
  subtitle: string | null
  hint: string | null
  multiSelect: boolean
  showNext: boolean
  /** True where none may be chosen (step 2). */
  optional: boolean
  layout: 'list' | 'swatches' | 'cards'
  options: Option[]
}

export interface InfoStep extends StepBase {
  kind: 'info'
  eyebrow: string | null
  body: string | null
  facts: Claim[]
  /** A small chart beside the text. */
  chart: 'none' | 'dry_eyes' | 'blink_rate' | 'drain_index' | 'astigmatism' | 'workout' | 'motivation'
  button: string
  floatingButton: boolean
}

export interface LoaderStep extends StepBase {
  kind: 'loader'
  durationMs: number
  /** Fade between messages. */
  fadeMs: number
  messages: string[]
  showPercent: boolean
}

export interface EmailStep extends StepBase {
  kind: 'email'
  label: string
  inputPlaceholder: string
  button: string
  note: string
  /** the total this screen shows (32). */
  shownTotal: number
}

export interface RiskStep extends StepBase {
  kind: 'risk'
  percent: number
  youLabel: string
  withLabel: string
  strainTitle: string
  strainItems: string[]
  wellnessTitle: string
  wellnessItems: string[]
  button: string
}

export interface SummaryStep extends StepBase {
  kind: 'summary'
  indexLabel: string
  indexText: string
  visualAgeLabel: string
  visualAgeText: string
  warningTitle: string
  warningText: string
  /** S-26: says that the figures are illustrative; null = switched off. */
  caption: string | null
  button: string
}

export interface RecoveryStep extends StepBase {
  kind: 'recovery'
  label: string
  verySlowText: string
  slowText: string
  button: string
}

export interface PlanStep extends StepBase {
  kind: 'plan'
  bullets: string[]
  button: string
}

export interface TimelineStep extends StepBase {
  kind: 'timeline'
  weeks: { key: string; title: string; text: string }[]
  button: string
}

export interface PressStep extends StepBase {
  kind: 'press'
  mentions: PressMention[]
  button: string
}

export interface TestimonialsStep extends StepBase {
  kind: 'testimonials'
  testimonials: Testimonial[]
  button: string
}

export interface PriceStep extends StepBase {
  kind: 'price'
  intro: string
  note: string
  button: string
}

export type QuizStep =
  | QuestionStep
  | InfoStep
  | LoaderStep
  | EmailStep
  | RiskStep
  | SummaryStep
  | RecoveryStep
  | PlanStep
  | TimelineStep
  | PressStep
  | TestimonialsStep
  | PriceStep
export type StepKind = QuizStep['kind']

export interface QuizContent {
  seo: Seo
  welcome: {
    title: string
    /** With {ageGroup}; `textWithoutAge` when none was chosen. */
    text: string
    textWithoutAge: string
    button: string
    resumeText: string
    resumeButton: string
    restartButton: string
  }
  /** Step 1 is steps[0]. */
  steps: QuizStep[]
}

export interface TimelineWeek {
  key: string
  title: string
  text: string
  locked: boolean
}

export interface Faq {
  key: string
  question: string
  answer: string
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

/** Rich text as Sanity's Portable Text blocks; rendered by @portabletext/to-html. */
export type RichText = readonly Record<string, unknown>[]

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
