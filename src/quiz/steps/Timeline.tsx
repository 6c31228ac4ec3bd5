import type { TimelineStep } from '../../../contract/content.ts'
import type { StepProps } from '../step-view.ts'
import { StepButton } from './StepButton.tsx'
import { StepTitle } from './StepTitle.tsx'

/** S-29: the weeks, one below the other. */
export default function Timeline({ quiz, step }: StepProps<TimelineStep>) {
  return (
    <>
      <StepTitle>{step.title}</StepTitle>
      <ol className="weeks">
        {step.weeks.map((week, index) => (
          <li key={week.key}>
            <span className="week-number" aria-hidden="true">
              {index + 1}
            </span>
            <h2>{week.title}</h2>
            <p>{week.text}</p>
          </li>
        ))}
      </ol>
      <StepButton onClick={quiz.proceed}>{step.button}</StepButton>
    </>
  )
}
