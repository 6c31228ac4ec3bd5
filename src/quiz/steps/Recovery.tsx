import { useStore } from '@nanostores/react'
import type { RecoveryStep } from '../../../contract/content.ts'
import { RECOVERY, recoveryOf } from '../../../contract/quiz.ts'
import { useCssVariable } from '../../ui/useCssVariable.ts'
import type { StepProps } from '../step-view.ts'
import { StepButton } from './StepButton.tsx'
import { StepTitle } from './StepTitle.tsx'
import { useCountUp } from './useCountUp.ts'

/** S-27: how fast the eyes recover, on a slider that moves to its value. */
export default function Recovery({ quiz, step }: StepProps<RecoveryStep>) {
  const answers = useStore(quiz.$answers)
  const { label, position, tone } = recoveryOf(quiz.counted(answers))
  const shown = useCountUp(position, 100)
  const slider = useCssVariable<HTMLDivElement>('--at', `${shown}%`)
  return (
    <>
      <StepTitle>{step.title}</StepTitle>
      <section className="card result" data-tone={tone}>
        <h2>{step.label}</h2>
        <p className="recovery-label">{label}</p>
        <div className="recovery" aria-hidden="true" ref={slider}>
          <div className="recovery-track" />
          <span className="recovery-thumb" />
          <p className="gauge-ends">
            <span>Slow</span>
            <span>Fast</span>
          </p>
        </div>
        <p>{label === RECOVERY.very_slow.label ? step.verySlowText : step.slowText}</p>
      </section>
      <StepButton onClick={quiz.proceed}>{step.button}</StepButton>
    </>
  )
}
