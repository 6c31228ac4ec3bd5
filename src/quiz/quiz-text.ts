import { fill } from '../../contract/placeholders.ts'
import { ageBucketLabel } from '../../contract/ages.ts'
import type { QuizAnswers } from '../../contract/quiz.ts'

/** The placeholders that only the visitor's browser can fill; settings and prices are filled when the page is built. */
export function visitorText(text: string, answers: QuizAnswers): string {
  return fill(text, {
    ageBucket: ageBucketLabel(answers.visualAge),
    ...(answers.email ? { email: answers.email } : {}),
  })
}
