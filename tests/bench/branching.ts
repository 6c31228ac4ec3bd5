/** How long the proof of a quiz takes that an editor waits for with each key: 60 steps with 40 conditions. */
import { entangledQuiz } from '../../contract/quiz-paths.fixture.ts'
import { provePaths } from '../../contract/quiz-paths.ts'
import { finish, judge, median, note } from './table.ts'

const LIMIT_MS = 300

const times = Array.from({ length: 50 }, (_, index) => {
  const steps = entangledQuiz((index + 1) * 7919)
  const began = performance.now()
  provePaths(steps)
  return performance.now() - began
})
note('proof of 60 steps and 40 conditions', `${median(times).toFixed(0)} ms in the middle of ${times.length} quizzes`)
judge('proof of 60 steps and 40 conditions, slowest quiz', Math.max(...times), LIMIT_MS, ' ms')
finish()
