import type { CheckoutContent } from '../../../contract/content.ts'

/** What a locked week waits for: the week before it; the first one has none. */
const lockOf = (index: number): string => (index === 0 ? 'Locked' : `Locked until week ${index} is done`)

/** C-05: the 6-week timeline; a locked week says so in words, not only by its icon. */
export function Timeline({ content }: { content: CheckoutContent }) {
  return (
    <section className="checkout-section" aria-labelledby="timeline-title">
      <h2 id="timeline-title">{content.timelineTitle}</h2>
      <ol className="timeline">
        {content.timeline.map((week, index) => (
          <li key={week.key} data-locked={week.locked || undefined}>
            <span className="timeline-mark" aria-hidden="true">
              {week.locked ? (
                <svg viewBox="0 0 20 20">
                  <path d="M6 9V6.5a4 4 0 0 1 8 0V9M4.5 9h11v8h-11z" />
                </svg>
              ) : (
                index + 1
              )}
            </span>
            <div>
              <h3>
                {week.title}
                {week.locked && <span className="timeline-lock"> {lockOf(index)}</span>}
              </h3>
              <p className="quiet">{week.text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** C-05: what is included. */
export function Features({ title, features }: { title: string; features: string[] }) {
  return (
    <section className="checkout-section" aria-labelledby="features-title">
      <h2 id="features-title">{title}</h2>
      <ul className="checks">
        {features.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
    </section>
  )
}
