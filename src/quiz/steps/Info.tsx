import type { ReactNode } from 'react'
import type { InfoStep } from '../../../contract/content.ts'
import type { StepProps } from '../step-view.ts'
import { figureOf } from '../figures.ts'
import { DayCurve, FigureChart } from './charts.tsx'
import { StepButton } from './StepButton.tsx'
import { StepTitle } from './StepTitle.tsx'

/** S-06, S-12, S-15, S-19, S-22, S-24: facts, each with a small chart of the number in it. */
export default function Info({ quiz, step }: StepProps<InfoStep>) {
  const charted = step.chart !== 'none'
  return (
    <>
      {step.eyebrow && <p className="step-eyebrow">{step.eyebrow}</p>}
      <StepTitle>{step.title}</StepTitle>
      {step.body && <p className="step-text">{step.body}</p>}
      {step.chart === 'drain_index' && <DayCurve />}
      <ul className="facts">
        {step.facts.map((fact) => {
          const figure = charted ? figureOf(fact.text) : undefined
          return (
            <li
              className="fact"
              key={fact.text}
              data-plain={figure ? undefined : true}
              data-single={(figure?.kind === 'numbers' && figure.values.length === 1) || undefined}
            >
              <p>{unbrokenRanges(fact.text)}</p>
              {figure && <FigureChart figure={figure} topic={step.chart} />}
            </li>
          )
        })}
      </ul>
      <StepButton onClick={quiz.proceed} floating={step.floatingButton}>
        {step.button}
      </StepButton>
    </>
  )
}

/** "15-20" stays on one line. */
function unbrokenRanges(text: string): ReactNode[] {
  return text.split(/(\d{1,9}-\d{1,9})/).map((part, index) =>
    index % 2 === 1 ? (
      <span className="nowrap" key={index}>
        {part}
      </span>
    ) : (
      part
    ),
  )
}
