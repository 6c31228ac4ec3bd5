import type { CheckoutContent } from '../../../contract/content.ts'
import { Accordion } from '../../ui/Accordion.tsx'
import { RotatingQuotes } from '../../ui/RotatingQuotes.tsx'

interface Props {
  content: CheckoutContent
}

/** C-06, C-07: testimonials; the rating line only where the editor has set one. */
export function Testimonials({ content }: Props) {
  if (content.testimonials.length === 0 && !content.rating) return null
  return (
    <section className="checkout-section" aria-labelledby="quotes-title">
      <h2 id="quotes-title">{content.testimonialsTitle}</h2>
      {content.rating && <p className="rating">{content.rating.text}</p>}
      <RotatingQuotes quotes={content.testimonials} label={content.testimonialsTitle} />
    </section>
  )
}

/** C-10: the guarantee. */
export function Guarantee({ content }: Props) {
  return (
    <section className="checkout-section guarantee" aria-labelledby="guarantee-title">
      <svg viewBox="0 0 48 48" aria-hidden="true">
        <path fill="#0B7A55" d="M24 3 7 9v13c0 11 7 19 17 23 10-4 17-12 17-23V9z" />
        <path
          fill="none"
          stroke="#fff"
          strokeWidth="4"
          strokeLinecap="round"
          strokeLinejoin="round"
          d="m16 24 6 6 11-12"
        />
      </svg>
      <div>
        <h2 id="guarantee-title">{content.guaranteeTitle}</h2>
        <p>{content.guaranteeText}</p>
        <p className="small">
          <a href="/legal/money-back-guarantee">How the guarantee works</a>
        </p>
      </div>
    </section>
  )
}

/** C-09: three questions, one open at a time (the browser closes the others: same name). */
export function Questions({ content }: Props) {
  return (
    <section className="checkout-section" aria-labelledby="faq-title">
      <h2 id="faq-title">{content.faqTitle}</h2>
      {content.faq.map((item) => (
        <Accordion key={item.key} group="checkout-faq" title={item.question}>
          <p className="answer">{item.answer}</p>
        </Accordion>
      ))}
    </section>
  )
}
