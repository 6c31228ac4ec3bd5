// When a new subscription's trial, period and billing begin and end.
import { type Stripe } from '../stripe-types.ts'
import { invalid } from '../http/errors.ts'
import { nextBoundary, stepFrom, type Interval } from './periods.ts'

type Create = Stripe.SubscriptionCreateParams

/** When things begin and end, from the parameters. Unix seconds. */
export interface Timing {
  trialEnd: number | null
  anchor: number
  end: number
  /** Part of a full period that the first invoice bills: 0 in a trial, less than 1 up to a later anchor. */
  share: number
}

/** Throws Stripe's 400 for an anchor past the first natural period, a trial in the past, or both ways of naming one. */
export function timing(params: Create, every: Interval, now: number): Timing {
  let trialEnd: number | null = null
  if (params.trial_period_days !== undefined && params.trial_end !== undefined) {
    throw invalid('You may only specify one of these parameters: trial_period_days, trial_end.', {
      code: 'parameters_exclusive',
      param: 'trial_end',
    })
  }
  if (params.trial_period_days !== undefined) {
    if (params.trial_period_days < 1)
      throw invalid('The minimum number of trial period days is 1.', { param: 'trial_period_days' })
    if (params.trial_period_days > 730)
      throw invalid('The maximum number of trial period days is 730 (2 years).', { param: 'trial_period_days' })
    trialEnd = now + params.trial_period_days * 86_400
  } else if (typeof params.trial_end === 'number') {
    if (params.trial_end <= now)
      throw invalid('Invalid timestamp: must be an integer Unix timestamp in the future.', { param: 'trial_end' })
    trialEnd = params.trial_end
  }
  const anchor = params.billing_cycle_anchor
  if (anchor !== undefined) {
    if (anchor <= now)
      throw invalid('Invalid timestamp: must be an integer Unix timestamp in the future.', {
        param: 'billing_cycle_anchor',
      })
    if (trialEnd !== null && trialEnd > anchor) {
      throw invalid('`trial_end` cannot be after `billing_cycle_anchor`.', {
        code: 'subscription_update_trial_after_billing_cycle_anchor',
        param: 'billing_cycle_anchor',
      })
    }
    const natural = stepFrom(trialEnd ?? now, every, 1)
    if (anchor > natural) {
      throw invalid(`\`billing_cycle_anchor\` cannot be later than next natural billing date (${natural}) for plan.`, {
        param: 'billing_cycle_anchor',
      })
    }
    if (trialEnd !== null) return { trialEnd, anchor, end: trialEnd, share: 0 }
    const share = params.proration_behavior === 'none' ? 0 : (anchor - now) / (natural - now)
    return { trialEnd, anchor, end: anchor, share }
  }
  if (trialEnd !== null) return { trialEnd, anchor: trialEnd, end: trialEnd, share: 0 }
  return { trialEnd, anchor: now, end: nextBoundary(now, every, now), share: 1 }
}
