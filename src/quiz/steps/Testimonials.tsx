import type { Testimonial, TestimonialsStep } from '../../../contract/content.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Stars } from '../../ui/Stars.tsx'
import type { StepProps } from '../step-view.ts'
import { StepButton } from './StepButton.tsx'
import { StepTitle } from './StepTitle.tsx'

/** S-31, S-32: one person large, or several. The tag is shown only where the editor has set it with a source. */
export default function Testimonials({ quiz, step }: StepProps<TestimonialsStep>) {
  return (
    <>
      <StepTitle>{step.title}</StepTitle>
      <div className="quotes" data-single={step.testimonials.length === 1 || undefined}>
        {step.testimonials.map((testimonial) => (
          <Voice key={testimonial.id} {...testimonial} />
        ))}
      </div>
      <StepButton onClick={quiz.proceed}>{step.button}</StepButton>
    </>
  )
}

function Voice({ name, age, place, quote, stars, picture, verified }: Testimonial) {
  const about = [age, place].filter((part) => part !== null).join(', ')
  return (
    <figure className="card quote">
      <Stars value={stars} />
      <blockquote>
        <p>{quote}</p>
      </blockquote>
      <figcaption className="person">
        <Avatar name={name} picture={picture} />
        <span>
          <b>{name}</b>
          {about && <span className="quiet"> · {about}</span>}
          {verified && (
            <span className="verified">
              <svg viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="2.2" aria-hidden="true">
                <path d="m3.5 8.5 3 3 6-6.5" strokeLinecap="round" strokeLinejoin="round" />
              </svg>
              Verified
            </span>
          )}
        </span>
      </figcaption>
    </figure>
  )
}
