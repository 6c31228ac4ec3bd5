import type { RiskStep } from '../../../contract/content.ts'
import { useCssVariable } from '../../ui/useCssVariable.ts'
import type { StepProps } from '../step-view.ts'
import { Tick, Warn } from './marks.tsx'
import { StepButton } from './StepButton.tsx'
import { StepTitle } from './StepTitle.tsx'

/** S-25: where the visitor is between two zones, and what each zone means. */
export default function Risk({ quiz, step }: StepProps<RiskStep>) {
  const meter = useCssVariable<HTMLDivElement>('--at', `${step.percent}%`)
  return (
    <>
      <StepTitle>{step.title}</StepTitle>
      <div
        className="meter"
        ref={meter}
        role="img"
        aria-label={`${step.youLabel}. ${step.withLabel}: ${step.wellnessTitle}.`}
      >
        <span className="meter-you">{step.youLabel}</span>
        <div className="meter-bar">
          <span className="meter-marker" />
          <span className="meter-goal" />
        </div>
        <span className="meter-with">{step.withLabel}</span>
      </div>
      <div className="zones">
        <section className="zone" data-zone="strain">
          <h2>{step.strainTitle}</h2>
          <ul className="marked">
            {step.strainItems.map((item) => (
              <li key={item}>
                <Warn />
                {item}
              </li>
            ))}
          </ul>
        </section>
        <section className="zone" data-zone="wellness">
          <h2>{step.wellnessTitle}</h2>
          <ul className="marked">
            {step.wellnessItems.map((item) => (
              <li key={item}>
                <Tick />
                {item}
              </li>
            ))}
          </ul>
        </section>
      </div>
      <StepButton onClick={quiz.proceed}>{step.button}</StepButton>
    </>
  )
}
