import { useEffect, useLayoutEffect, useRef, useState, type ComponentType, type KeyboardEvent } from 'react'
import type { Option, QuestionStep } from '../../../contract/content.ts'
import { NO_SYMPTOMS_LABEL, SYMPTOM_LABELS } from '../../../contract/quiz.ts'
import { OptionCard } from '../../ui/OptionCard.tsx'
import { moveByArrow } from '../../ui/radio-arrows.ts'
import { mayGoOn, showsNext, symptomNames } from '../quiz.ts'
import type { StepProps } from '../step-view.ts'
import { useAtom } from '../useAtom.ts'
import { Iris } from './Iris.tsx'
import { StepButton } from './StepButton.tsx'
import { StepTitle } from './StepTitle.tsx'

/**
 * the generic question: one or several choices, moving on by Next or by itself. A tap redraws only what it
 * changes: option marks are set directly on the elements (redrawing the screen takes three times as long on a slow
 * phone); feedback and Next are components that subscribe themselves.
 */
export function Question({ quiz, step }: StepProps<QuestionStep>) {
  const $selection = quiz.selectionOf(step)
  const group = useRef<HTMLDivElement>(null)
  useLayoutEffect(
    () =>
      $selection.listen((values) =>
        step.options.forEach(({ value }, index) => {
          const option = group.current?.children[index]
          option?.setAttribute(step.multiSelect ? 'aria-pressed' : 'aria-checked', String(values.includes(value)))
          if (!step.multiSelect && values[0]) option?.setAttribute('tabindex', values[0] === value ? '0' : '-1')
        }),
      ),
    [$selection, step],
  )
  const stop = $selection.get()[0] ?? step.options[0]?.value
  const byArrow = (event: KeyboardEvent<HTMLElement>): void =>
    moveByArrow(event, (index) => {
      const option = step.options[index]
      if (option) quiz.pick(option.value)
    })
  // the answers of other steps: they do not change while this one is shown
  const subtitle = step.subtitle?.replaceAll(
    '{symptoms}',
    symptomNames(quiz.content.steps, quiz.counted(quiz.$answers.get()), SYMPTOM_LABELS, NO_SYMPTOMS_LABEL),
  )

  return (
    <>
      <StepTitle>{step.title}</StepTitle>
      {subtitle && <p className="step-subtitle">{subtitle}</p>}
      <div
        className="options"
        data-layout={step.layout}
        role={step.multiSelect ? 'group' : 'radiogroup'}
        aria-labelledby="step-title"
        onKeyDown={step.multiSelect ? undefined : byArrow}
        ref={group}
      >
        {step.options.map((option) => (
          <OptionCard
            key={option.key}
            label={option.label}
            description={option.description}
            selected={$selection.get().includes(option.value)}
            many={step.multiSelect}
            stop={option.value === stop}
            icon={<OptionPicture option={option} layout={step.layout} />}
            onSelect={() => quiz.choose(option.value)}
          />
        ))}
      </div>
      {step.hint && <p className="step-hint">{step.hint}</p>}
      {step.options.some((option) => option.feedback) && <Feedback quiz={quiz} step={step} />}
      {showsNext(step) && <NextButton quiz={quiz} step={step} />}
    </>
  )
}

function NextButton({ quiz, step }: StepProps<QuestionStep>) {
  const ready = useAtom(quiz.selectionOf(step), (values) => mayGoOn(step, values))
  return (
    <StepButton disabled={!ready} onClick={quiz.next}>
      Next
    </StepButton>
  )
}

function Feedback({ quiz, step }: StepProps<QuestionStep>) {
  const feedback = useAtom(quiz.selectionOf(step), ([first]) =>
    step.multiSelect ? undefined : step.options.find(({ value }) => value === first)?.feedback,
  )
  return (
    <div role="status" className="feedback-place">
      {feedback && <FeedbackCard key={feedback.status} feedback={feedback} />}
    </div>
  )
}

/** S-09: what a choice means. On a small phone it would open below the fold, so it scrolls into view. */
function FeedbackCard({ feedback }: { feedback: NonNullable<Option['feedback']> }) {
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // in the frame that shows it: any earlier, everything would be laid out twice
    const frame = requestAnimationFrame(() => card.current?.scrollIntoView({ block: 'nearest' }))
    return () => cancelAnimationFrame(frame)
  }, [])
  return (
    <div className="feedback" data-status={feedback.status} ref={card}>
      <p className="feedback-title">{feedback.title}</p>
      <p>{feedback.text}</p>
    </div>
  )
}

type IconView = ComponentType<{ name: string }>
let Icon: IconView | undefined

/** The drawing of an option. Icons load as a separate file; their space is reserved, so that nothing jumps. */
function OptionPicture({ option, layout }: { option: Option; layout: QuestionStep['layout'] }) {
  const [Drawn, setDrawn] = useState<IconView | undefined>(() => Icon)
  const wanted = layout !== 'swatches' && option.icon !== undefined
  useEffect(() => {
    if (!wanted || Drawn) return
    let here = true
    import('../../artwork/Icon.tsx').then(
      (file) => {
        Icon = file.Icon
        if (here) setDrawn(() => file.Icon)
      },
      // without a network the option has its words only
      () => undefined,
    )
    return () => {
      here = false
    }
  }, [wanted, Drawn])

  if (layout === 'swatches') return <Iris colour={option.value} />
  if (!option.icon) return null
  return <span className="option-icon">{Drawn && <Drawn name={option.icon} />}</span>
}
