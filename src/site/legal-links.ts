/** L-05: the legal pages in the order of the menu. */
export const LEGAL_LINKS = [
  { path: '/legal/terms-and-conditions', label: 'Terms and conditions' },
  { path: '/legal/subscription-terms', label: 'Subscription terms' },
  { path: '/legal/money-back-guarantee', label: 'Money-back guarantee' },
  { path: '/legal/contact-us', label: 'Contact us' },
] as const
