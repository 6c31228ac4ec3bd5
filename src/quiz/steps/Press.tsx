import type { PressStep } from '../../../contract/content.ts'
import type { StepProps } from '../step-view.ts'
import { StepButton } from './StepButton.tsx'
import { StepTitle } from './StepTitle.tsx'

/** S-30: press mentions, each with its quote. */
export default function Press({ quiz, step }: StepProps<PressStep>) {
  return (
    <>
      <StepTitle>{step.title}</StepTitle>
      <div className="quotes">
        {step.mentions.map(({ id, outlet, quote, logo }) => (
          <figure className="card quote" key={id}>
            <blockquote>
              <p>{quote}</p>
            </blockquote>
            <figcaption>
              {logo ? <img src={logo.url} width={logo.width} height={logo.height} alt={outlet} /> : <b>{outlet}</b>}
            </figcaption>
          </figure>
        ))}
      </div>
      <StepButton onClick={quiz.proceed}>{step.button}</StepButton>
    </>
  )
}
