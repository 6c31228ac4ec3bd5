import { fill } from '../../contract/placeholders.ts'
import { ageBucketLabel } from '../../contract/ages.ts'
import type { QuizAnswers } from '../../contract/quiz.ts'

/** The placeholders that only the visitor's browser can fill; settings and prices are filled when the page is built. */
export function visitorText(text: string, answers: QuizAnswers, ageGroup?: string): string {
  const group = ageGroup ?? answers.ageGroup
  return fill(text, {
    ageBucket: ageBucketLabel(answers.visualAge),
    ...(group ? { ageGroup: group } : {}),
    ...(answers.email ? { email: answers.email } : {}),
  })
}
