/** Pieces of content that several pages show. */

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

export interface Seo {
  title: string
  description: string
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

export interface Faq {
  key: string
  question: string
  answer: string
}

/** Rich text as Sanity's Portable Text blocks; rendered by @portabletext/to-html. */
export type RichText = readonly Record<string, unknown>[]
