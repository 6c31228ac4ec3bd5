import { defineDocuments, defineLocations, type PresentationPluginOptions } from 'sanity/presentation'

const page = (title: string, href: string) => ({ locations: [{ title, href }] })

/**
 * Which pages show a document, and which document a page shows (K-04). Pages under a session id use a preview session.
 */
export const resolve: NonNullable<PresentationPluginOptions['resolve']> = {
  locations: {
    landing: page('Landing page', '/'),
    quiz: {
      locations: [
        { title: 'Welcome', href: '/quiz?step=Welcome' },
        { title: 'Step 1', href: '/quiz?step=1' },
      ],
    },
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
    testimonial: {
      locations: [
        { title: 'Quiz', href: '/quiz?step=31' },
        { title: 'Checkout', href: '/checkout/preview' },
      ],
    },
    pressMention: page('Quiz', '/quiz?step=30'),
    advertorial: defineLocations({
      select: { title: 'headline', path: 'path' },
      resolve: (document) => page(String(document?.['title'] ?? 'Advertorial'), String(document?.['path'] ?? '/')),
    }),
    legalPage: defineLocations({
      select: { title: 'title', slug: 'slug' },
      resolve: (document) =>
        page(String(document?.['title'] ?? 'Legal page'), `/legal/${String(document?.['slug'] ?? '')}`),
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
