import { useEffect, useRef, useState } from 'react'
import type { ProgrammeStep } from '../../contract/members.ts'
import { Button } from '../ui/Button.tsx'
import { Animation } from './animations/Animation.tsx'
import { spoken } from './play-time.ts'

/**
 * one exercise at a time, drawn and in words. The drawing can be paused, and does not move under reduced motion.
 */
export function Steps({ steps }: { steps: readonly ProgrammeStep[] }) {
  const [index, setIndex] = useState(0)
  const [paused, setPaused] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const moved = useRef(false)
  useEffect(() => {
    if (moved.current) heading.current?.focus()
  }, [index])
  const step = steps[index]
  if (!step) return null
  const go = (to: number): void => {
    moved.current = true
    setIndex(to)
  }
  const last = index === steps.length - 1
  return (
    <section className="exercise card" aria-labelledby="exercise-title">
      <p className="quiet small">
        Exercise {index + 1} of {steps.length} · about {spoken(step.seconds)}
      </p>
      <Animation key={step.key} name={step.animation} paused={paused} />
      <h2 id="exercise-title" ref={heading} tabIndex={-1}>
        {step.title}
      </h2>
      <p>{step.text}</p>
      <div className="exercise-buttons">
        <Button look="quiet" onClick={() => go(index - 1)} disabled={index === 0}>
          Back
        </Button>
        <Button look={last ? 'quiet' : 'primary'} onClick={() => go(last ? 0 : index + 1)}>
          {last ? 'From the start' : 'Next'}
        </Button>
      </div>
      <button type="button" className="exercise-pause" aria-pressed={paused} onClick={() => setPaused(!paused)}>
        {paused ? 'Let the drawing move' : 'Pause the drawing'}
      </button>
    </section>
  )
}
