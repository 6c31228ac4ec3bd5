import type { QuizContent, QuizStep } from '../../contract/content.ts'

/** The quiz as sent in the page: without the sources of claims, which editors need and the browser does not. */
export function forVisitors(content: QuizContent): QuizContent {
  return { ...content, steps: content.steps.map(withoutSources) }
}

function withoutSources(step: QuizStep): QuizStep {
  return step.kind === 'info' ? { ...step, facts: step.facts.map(({ text }) => ({ text, source: null })) } : step
}
