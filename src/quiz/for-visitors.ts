import type { QuizContent, QuizStep } from '../../contract/content.ts'
import { TooManyNodes } from '../../contract/decisions.ts'
import { questionFrom } from '../../contract/quiz-choices.ts'
import { provePaths, type PathStep } from '../../contract/quiz-paths.ts'
import { hasConditions } from '../../contract/quiz-walk.ts'
import type { VisitorQuiz } from './quiz-state.ts'

/**
 * The quiz as sent in the page: without what the browser has no use for, the sources of claims and the keys of steps;
 * where steps have conditions, with the length of the longest way. `drafts`: the page is an editor's preview.
 */
export function forVisitors(content: QuizContent, drafts = false): VisitorQuiz {
  const longest = hasConditions(content.steps) ? longestWay(content.steps) : undefined
  return {
    ...content,
    steps: content.steps.map(slim),
    ...(longest === undefined ? {} : { longest }),
    ...(drafts ? { everyStep: true } : {}),
  }
}

function slim({ key: _, ...step }: QuizContent['steps'][number]): QuizStep {
  return step.kind === 'info' ? { ...step, facts: step.facts.map(({ text }) => ({ text, source: null })) } : step
}

/** Undefined for a draft that the publish check would refuse. */
function longestWay(steps: readonly QuizStep[]): number | undefined {
  try {
    return provePaths(steps.map(pathStep)).longest?.steps
  } catch (error) {
    if (error instanceof TooManyNodes) return undefined
    throw error
  }
}

function pathStep(step: QuizStep): PathStep {
  const { next, showIf, kind } = step
  const asks = kind === 'question' ? questionFrom(step) : undefined
  return { next, showIf, asks, ends: kind === 'price', needs: [] }
}
