import { infoStep, loaderStep, emailStep } from './reading-steps.ts'
import { riskStep, summaryStep, recoveryStep, planStep, timelineWeek, timelineStep } from './result-steps.ts'
import { pressStep, testimonialsStep, priceStep } from './offer-steps.ts'

/** Every kind of step but the question, in the order of the menu. */
export const plainSteps = [
  infoStep,
  loaderStep,
  emailStep,
  riskStep,
  summaryStep,
  recoveryStep,
  planStep,
  timelineWeek,
  timelineStep,
  pressStep,
  testimonialsStep,
  priceStep,
]
