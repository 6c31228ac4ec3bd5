import { account } from './account/account.ts'
import { advertorialTypes } from './advertorial/advertorial.ts'
import { checkoutTypes } from './checkout/checkout.ts'
import { fieldTypes } from './field-types.ts'
import { landing } from './landing/landing.ts'
import { legalPage } from './legal/legal-page.ts'
import { offer } from './offer/offer.ts'
import { pressMention } from './press/press-mention.ts'
import { programmeTypes } from './programme/programme.ts'
import { conditionTypes } from './quiz/condition.ts'
import { questionTypes } from './quiz/question.ts'
import { quiz } from './quiz/quiz.ts'
import { plainSteps } from './quiz/steps.ts'
import { readingTypes } from './reading/reading.ts'
import { settings } from './settings/settings.ts'
import { testimonial } from './testimonials/testimonial.ts'
import { upsellTypes } from './upsell/upsell.ts'

/** Everything an editor can write, by domain, in the words of the site's folders. */
export const schemaTypes = [
  landing,
  ...advertorialTypes,
  quiz,
  ...questionTypes,
  ...plainSteps,
  ...conditionTypes,
  testimonial,
  pressMention,
  ...checkoutTypes,
  offer,
  ...upsellTypes,
  account,
  ...programmeTypes,
  legalPage,
  ...readingTypes,
  settings,
  ...fieldTypes,
]
