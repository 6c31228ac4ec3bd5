import type { Next, QuizStep } from '../../contract/content.ts'
import { drawEyeStrainIndex, drawVisualAge, recoveryOf, type QuizAnswers } from '../../contract/quiz.ts'
import { addressOf, ageOf, completes, placeOf, restore, resumablePlace } from './quiz.ts'
import type { AutoAdvance, QuizState } from './quiz-state.ts'
import { createWay } from './quiz-way.ts'
import type { QuizWorld } from './quiz-world.ts'

/** What a step needs before it is shown: its earlier answer, or the figures it speaks of. */
function prepare(
  step: QuizStep | undefined,
  { $answers, selectionOf, save }: QuizState,
  world: QuizWorld,
  counted: () => QuizAnswers,
): void {
  if (step?.kind === 'question') selectionOf(step).set(restore(step, $answers.get()))
  if (step?.kind === 'summary') {
    // S-26: drawn once per session, the same after a reload
    const { eyeStrainIndex, visualAge, ageGroup } = $answers.get()
    if (eyeStrainIndex === undefined) save('eyeStrainIndex', drawEyeStrainIndex(world.random))
    if (visualAge === undefined) save('visualAge', drawVisualAge(ageGroup, world.random))
  }
  if (step?.kind === 'recovery') {
    const { label, position } = recoveryOf(counted())
    if ($answers.get().recoverySpeed !== label) {
      save('recoverySpeed', label)
      save('recoveryPosition', position)
    }
  }
}

/** A page that is still here after this is not left any more: the navigation failed, or the browser was stopped. */
export const LEAVING_MS = 4_000

/** Moving through the quiz: the address is the state; `show` follows it. */
export function createNavigation(state: QuizState, autoAdvance: AutoAdvance, world: QuizWorld) {
  const { $place, $answers, $age, stepAt, save } = state
  const total = state.content.steps.length
  const way = createWay(state, world)
  /** While the page is being left: ends that. */
  let leaving: (() => void) | undefined

  function stay(): void {
    leaving?.()
    leaving = undefined
  }

  /** follows the address, on load and on back and forward. */
  function show(): void {
    autoAdvance.callOff()
    stay()
    const query = world.query()
    const asked = placeOf(query.get('step'), total)
    const age = ageOf(query.get('age'))
    const named = query.get('step')
    $answers.set(world.readAnswers())
    //
    if (age && !$answers.get().ageGroup) {
      save('ageGroup', age)
      // S-26: what was drawn without a group is drawn anew
      if ($answers.get().visualAge !== undefined) save('visualAge', drawVisualAge(age, world.random))
    }
    $age.set(age ?? $answers.get().ageGroup)
    const { steps, everyStep } = state.content
    const was = world.readPlace()
    const resumable = resumablePlace(was, steps, world.stepKeys(), $answers.get())
    // a page that is loaded again goes on with the step it showed, which a publish may have moved
    const again = $place.get() === 'Welcome' && !everyStep && was?.split(' ')[0] === named
    const place = asked === 'Welcome' ? asked : way.open(again ? (resumable ?? 1) : asked)
    if (named !== null && named !== String(place)) world.go(addressOf(place), true)
    if (place === 'Welcome') {
      state.$resumable.set(resumable)
    } else {
      world.keepPlace(`${place} ${world.stepKeys()[place - 1] ?? ''}`)
      world.startedAt(world.now())
    }
    prepare(stepAt(place), state, world, () => way.counted($answers.get(), place))
    $place.set(place)
  }

  function goTo(next: Next, replace: boolean): void {
    // a second tap while the screen is about to change
    if (next === $place.get()) return
    autoAdvance.callOff()
    if (typeof next === 'number') {
      $answers.set(world.readAnswers())
      // what is hidden is never in the address, where it would count as seen (D-09)
      world.go(addressOf(way.open(next)), replace)
      show()
    } else if (!leaving && world.leave(next)) {
      leaving = world.after(LEAVING_MS, stay)
    }
  }

  return {
    show,
    goTo,
    stretch: way.stretch,
    counted: way.counted,

    /** the step is done, on to its next one. Loaders give up their history entry: Back never lands in one. */
    proceed(): void {
      const step = stepAt()
      if (!step) return
      const next = way.after(step, Number($place.get()))
      if (completes(next, total)) {
        world.keepCompletion(Math.round((world.now() - world.startedAt(world.now())) / 1000))
      }
      goTo(next, step.kind === 'loader')
    },

    /**
     * The arrow above a step does what the browser's Back does; on a step opened by its address, it goes to the screen
     * before.
     */
    back(): void {
      const place = $place.get()
      if (place === 'Welcome') return
      if (world.canGoBack()) return world.goBack()
      world.go(addressOf(way.previous(place) ?? 'Welcome'), true)
      show()
    },

    /** The page came back from the browser's cache: it can be left again. */
    cameBack: stay,
  }
}
