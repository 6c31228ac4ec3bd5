import type { SessionView } from '../../contract/api.ts'
import { DEFAULT_TRIAL, trialByPrice, type TrialId } from '../../contract/catalogue.ts'
import type { PlaceholderValues } from '../../contract/placeholders.ts'
import { catalogueValues } from '../../contract/placeholders.ts'
import { toCents } from '../../contract/money.ts'
import { ageBucketLabel } from '../../contract/ages.ts'
import type { QuizAnswers } from '../../contract/quiz.ts'

/**
 * The trial product for a price as the browser stores it (decimal dollars); undefined for anything that is not a tier.
 */
export function trialOfStoredPrice(selectedPrice: unknown): TrialId | undefined {
  if (typeof selectedPrice !== 'number') return undefined
  try {
    return trialByPrice(toCents(selectedPrice))
  } catch {
    return undefined
  }
}

/**
 * C-02: the tier of the checkout. This browser's own choice is the newest one (it may still be on its way to the
 * service); else the session's, else `fallback` (1 on the checkout, 5 on the special-offer pages).
 */
export function tierOf(
  answers: Pick<QuizAnswers, 'selectedPrice'>,
  session: Pick<SessionView, 'trialId' | 'selectedPrice'> | null,
  fallback: TrialId = DEFAULT_TRIAL,
): TrialId {
  return (
    trialOfStoredPrice(answers.selectedPrice) ??
    trialOfStoredPrice(session?.selectedPrice ?? undefined) ??
    (fallback === DEFAULT_TRIAL ? session?.trialId : undefined) ??
    fallback
  )
}

/** C-11: pre-ticked only for visitors known to be in a listed country. */
export function isPreticked(listed: readonly string[], country: string | null): boolean {
  return country !== null && listed.includes(country.toUpperCase())
}

/** H-02: whether the pay button has to state the obligation to pay and the amount. An unknown country is not listed. */
export function isStrict(listed: readonly string[], country: string | null): boolean {
  return isPreticked(listed, country)
}

/**
 * The placeholders that depend on the visitor; the others are filled when a page is built. Until the tier is known, its
 * amounts are an ellipsis, never a guess.
 */
export function visitorValues(tier: TrialId | null, answers: QuizAnswers = {}): PlaceholderValues {
  const { trialPrice, trialSaving } = tier ? catalogueValues(tier) : { trialPrice: '…', trialSaving: '…' }
  return {
    ...(trialPrice && trialSaving ? { trialPrice, trialSaving } : {}),
    ageGroup: answers.ageGroup ?? '',
    ageBucket: ageBucketLabel(answers.visualAge),
    email: answers.email ?? '',
  }
}
