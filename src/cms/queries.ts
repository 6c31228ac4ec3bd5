import { defineQuery } from 'groq'

/** Everything the pages ask of the content lake. Parsed by contract/content/; types in types.generated.ts. */

const TESTIMONIAL = `{ _id, _type, name, age, place, quote, stars, picture, verified, provenance, sample }`
const PRESS = `{ _id, _type, outlet, quote, logo, sample }`

export const settingsQuery = defineQuery(`*[_type == "settings" && _id == "settings"][0]`)

export const landingQuery = defineQuery(`*[_type == "landing" && _id == "landing"][0]`)

export const quizQuery = defineQuery(`*[_type == "quiz" && _id == "quiz"][0]{
  _id, _type, "revision": _rev, seo, welcome,
  steps[]{
    ...,
    _type == "pressStep" => { "mentions": mentions[]->${PRESS} },
    _type == "testimonialsStep" => { "testimonials": testimonials[]->${TESTIMONIAL} }
  }
}`)

export const checkoutQuery = defineQuery(`*[_type == "checkout" && _id == "checkout"][0]{
  ...,
  "testimonials": testimonials[]->${TESTIMONIAL},
  "audioUrl": audio.asset->url
}`)

export const offerQuery = defineQuery(`*[_type == "offer" && _id == "offer"][0]`)

export const upsellQuery = defineQuery(`*[_type == "upsell" && _id == "upsell"][0]{
  ...,
  "testimonials": testimonials[]->${TESTIMONIAL}
}`)

export const accountQuery = defineQuery(`*[_type == "account" && _id == "account"][0]`)

/** V-03: the next slice of the advertorials behind `$after` ('' is the start): thousands are never one answer. */
export const ADVERTORIAL_SLICE = 250
export const advertorialsQuery = defineQuery(`*[_type == "advertorial" && _id > $after] | order(_id asc)[0...250]`)

/** Those at one address: more than one is a fault, which their page names. */
export const advertorialQuery = defineQuery(`*[_type == "advertorial" && path == $path]`)

export const legalPagesQuery = defineQuery(`*[_type == "legalPage"] | order(slug asc)`)

export const readingQuery = defineQuery(`*[_type == "reading" && _id == "reading"][0]`)
