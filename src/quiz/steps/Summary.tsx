import { useStore } from '@nanostores/react'
import type { SummaryStep } from '../../../contract/content.ts'
import { EYE_STRAIN_INDEX } from '../../../contract/quiz.ts'
import { Notice } from '../../ui/Notice.tsx'
import { visitorText } from '../quiz-text.ts'
import type { StepProps } from '../step-view.ts'
import { StepButton } from './StepButton.tsx'
import { StepTitle } from './StepTitle.tsx'
import { useCountUp } from './useCountUp.ts'

const { scaleFrom, scaleTo } = EYE_STRAIN_INDEX
/** Counting starts at the youngest age that the quiz knows. */
const COUNT_FROM_AGE = 18

/** S-26, S-34: the Eye Strain Index on its scale, the Visual Age, and the warning. */
export default function Summary({ quiz, step }: StepProps<SummaryStep>) {
  const answers = useStore(quiz.$answers)
  const index = answers.eyeStrainIndex ?? scaleFrom
  const age = answers.visualAge ?? COUNT_FROM_AGE
  const shownAge = useCountUp(age, COUNT_FROM_AGE)

  return (
    <>
      <StepTitle>{step.title}</StepTitle>
      <section className="card result">
        <h2>{step.indexLabel}</h2>
        <Gauge value={index} />
        <p className="quiet">{step.indexText}</p>
      </section>
      <section className="card result result-age">
        <div>
          <h2>{step.visualAgeLabel}</h2>
          <p className="quiet">{visitorText(step.visualAgeText, answers)}</p>
        </div>
        <p className="result-number tabular">
          <span aria-hidden="true">{Math.round(shownAge)}</span>
          <span className="visually-hidden">{age}</span>
        </p>
      </section>
      <Notice tone="danger" title={step.warningTitle}>
        <p>{step.warningText}</p>
      </Notice>
      {step.caption && <p className="step-caption">{step.caption}</p>}
      <StepButton onClick={quiz.proceed}>{step.button}</StepButton>
    </>
  )
}

/** A half circle from the low to the high end of the scale, with the value on it. */
function Gauge({ value }: { value: number }) {
  const shown = useCountUp(value, scaleFrom)
  const share = Math.min(1, Math.max(0, (shown - scaleFrom) / (scaleTo - scaleFrom)))
  const angle = Math.PI * (1 - share)
  return (
    <div className="gauge">
      <svg viewBox="0 0 240 142" fill="none" aria-hidden="true">
        <linearGradient id="gauge-colours">
          <stop stopColor="#12966A" />
          <stop offset=".5" stopColor="#FFB454" />
          <stop offset="1" stopColor="#D43A2C" />
        </linearGradient>
        <path d="M26 120a94 94 0 0 1 188 0" stroke="url(#gauge-colours)" strokeWidth="18" strokeLinecap="round" />
        <circle
          cx={120 + 94 * Math.cos(angle)}
          cy={120 - 94 * Math.sin(angle)}
          r="14"
          fill="#fff"
          stroke="#0B1B33"
          strokeWidth="6"
        />
      </svg>
      <p className="gauge-value tabular">
        <span aria-hidden="true">{shown.toFixed(1)}</span>
        <span className="visually-hidden">
          {value.toFixed(1)} on a scale from {scaleFrom} to {scaleTo}
        </span>
      </p>
      <p className="gauge-ends tabular" aria-hidden="true">
        <span>{scaleFrom}</span>
        <span>{scaleTo}</span>
      </p>
    </div>
  )
}
