import { useEffect, useState } from 'react'
import type { LoaderStep } from '../../../contract/content.ts'
import { CircularProgress } from '../../ui/CircularProgress.tsx'
import { useCssVariable } from '../../ui/useCssVariable.ts'
import { loaderAt, TICK_MS } from '../loader.ts'
import type { StepProps } from '../step-view.ts'
import { Iris } from './Iris.tsx'
import { StepTitle } from './StepTitle.tsx'

/** S-07, S-14, S-21: fills from 0 to 100 in its duration, shows its messages in turn, then moves on by itself. */
export default function Loader({ quiz, step }: StepProps<LoaderStep>) {
  const [elapsed, setElapsed] = useState(0)
  const { durationMs, messages } = step
  const { percent, message } = loaderAt(elapsed, durationMs, messages.length)

  const fade = useCssVariable<HTMLParagraphElement>('--fade', `${step.fadeMs}ms`)

  useEffect(() => {
    const start = performance.now()
    const tick = setInterval(() => setElapsed(performance.now() - start), TICK_MS)
    const end = setTimeout(quiz.proceed, durationMs)
    return () => {
      clearInterval(tick)
      clearTimeout(end)
    }
  }, [quiz, durationMs])

  return (
    <div className="loader">
      <StepTitle>{step.title}</StepTitle>
      <CircularProgress percent={percent} label={step.title}>
        {step.showPercent ? null : <Iris colour={String(quiz.$answers.get().eyeColor)} />}
      </CircularProgress>
      {/* read aloud, messages a second apart would cut each other off: only the last one is announced */}
      <p className="visually-hidden" role="status">
        {message === messages.length - 1 && messages[message]}
      </p>
      <p className="loader-message" aria-hidden="true" ref={fade}>
        <span key={message}>{messages[message]}</span>
      </p>
    </div>
  )
}
