import { defineDocuments, defineLocations, type PresentationPluginOptions } from 'sanity/presentation'
import { objects, words } from '../check/finding.ts'

const page = (title: string, href: string) => ({ locations: [{ title, href }] })
const noAddress = { message: 'No page yet: its address is missing.', tone: 'caution' as const }

/**
 * Which pages show a document, and which document a page shows (K-04). Pages under a session id use a preview session.
 */
export const resolve: NonNullable<PresentationPluginOptions['resolve']> = {
  locations: {
    landing: page('Landing page', '/'),
    quiz: defineLocations({
      select: { steps: 'steps' },
      resolve: (document) => ({
        locations: [
          { title: 'Welcome', href: '/quiz?step=Welcome' },
          ...objects(document?.['steps']).map((step, index) => ({
            title: `${index + 1}. ${words(step['title']) || 'No title yet'}`,
            href: `/quiz?step=${index + 1}`,
          })),
        ],
      }),
    }),
    checkout: page('Checkout', '/checkout/preview'),
    offer: {
      locations: [
        { title: 'Offer, first page', href: '/special-offer-intro/preview' },
        { title: 'Offer, second page', href: '/special-offer-details/preview' },
      ],
    },
    upsell: page('Add-ons', '/multi-upsell/preview'),
    account: {
      locations: [
        { title: 'Account', href: '/user-creation/preview' },
        { title: 'Thank-you', href: '/thank-you/preview' },
      ],
    },
    reading: page('Result', '/summary/preview'),
    settings: { message: 'Used on every page', tone: 'caution', ...page('Landing page', '/') },
    // testimonials and press mentions say themselves what lists them (schemas/Listings.tsx)
    advertorial: defineLocations({
      select: { title: 'headline', path: 'path' },
      resolve: (document) => {
        const path = words(document?.['path'])
        return path.startsWith('/') ? page(words(document?.['title']) || 'Advertorial', path) : noAddress
      },
    }),
    legalPage: defineLocations({
      select: { title: 'title', slug: 'slug' },
      resolve: (document) => {
        const slug = words(document?.['slug'])
        return slug ? page(words(document?.['title']) || 'Legal page', `/legal/${slug}`) : noAddress
      },
    }),
  },
  mainDocuments: defineDocuments([
    { route: '/', filter: '_id == "landing"' },
    { route: '/quiz', filter: '_id == "quiz"' },
    { route: ['/checkout', '/checkout/:session'], filter: '_id == "checkout"' },
    { route: ['/special-offer-intro/:session', '/special-offer-details/:session'], filter: '_id == "offer"' },
    { route: '/multi-upsell/:session', filter: '_id == "upsell"' },
    { route: ['/user-creation/:session', '/thank-you', '/thank-you/:session'], filter: '_id == "account"' },
    { route: ['/summary/:session', '/payment', '/payment/:session'], filter: '_id == "reading"' },
    { route: '/legal/:slug', filter: '_type == "legalPage" && slug == $slug' },
    { route: '/:path', filter: '_type == "advertorial" && path == "/" + $path' },
  ]),
}
