import type { PlanStep } from '../../../contract/content.ts'
import type { StepProps } from '../step-view.ts'
import { Tick } from './marks.tsx'
import { StepButton } from './StepButton.tsx'
import { StepTitle } from './StepTitle.tsx'

/** S-28: what the plan includes. */
export default function Plan({ quiz, step }: StepProps<PlanStep>) {
  return (
    <>
      <svg className="plan-art" viewBox="0 0 200 96" fill="none" aria-hidden="true">
        <rect x="46" y="8" width="108" height="80" rx="12" fill="#fff" stroke="#B9C8DE" strokeWidth="2.5" />
        <path d="M46 30h108" stroke="#B9C8DE" strokeWidth="2.5" />
        <path d="M70 4v10M130 4v10" stroke="#1A75FF" strokeWidth="5" strokeLinecap="round" />
        <g fill="#1A75FF">
          <circle cx="66" cy="46" r="7" />
          <circle cx="89" cy="46" r="7" />
          <circle cx="112" cy="46" r="7" />
          <circle cx="135" cy="46" r="7" fill="#8FBDFF" />
        </g>
        <g fill="#DCE5F2">
          <circle cx="66" cy="70" r="7" />
          <circle cx="89" cy="70" r="7" />
          <circle cx="112" cy="70" r="7" />
          <circle cx="135" cy="70" r="7" fill="#FFB454" />
        </g>
      </svg>
      <StepTitle>{step.title}</StepTitle>
      <ul className="marked plan">
        {step.bullets.map((bullet) => (
          <li key={bullet}>
            <Tick />
            {bullet}
          </li>
        ))}
      </ul>
      <StepButton onClick={quiz.proceed}>{step.button}</StepButton>
    </>
  )
}
