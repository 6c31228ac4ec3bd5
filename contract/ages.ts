/** The ages of visitors. Separate from quiz.ts, whose values only the quiz needs. */

export const AGE_GROUPS = ['18-29', '30-45', '46-59', '60+'] as const
export type AgeGroup = (typeof AGE_GROUPS)[number]

export function isAgeGroup(value: unknown): value is AgeGroup {
  return (AGE_GROUPS as readonly unknown[]).includes(value)
}

/** S-34: the decade of a Visual Age, kept within 20's to 60's; 20's when there is none. */
export function ageBucketLabel(visualAge: number | undefined): string {
  const decade = Math.floor((visualAge ?? 20) / 10) * 10
  return `${Math.min(60, Math.max(20, decade))}'s`
}
