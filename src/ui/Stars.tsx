import './stars.css'

const STAR = 'M10 1.6l2.5 5.3 5.8.8-4.2 4.1 1 5.8L10 14.9l-5.1 2.7 1-5.8-4.2-4.1 5.8-.8z'

/** A rating of up to five stars, said in words too. */
export function Stars({ value, of = 5 }: { value: number; of?: number }) {
  return (
    <span className="stars" role="img" aria-label={`${value} out of ${of} stars`}>
      {Array.from({ length: of }, (_, index) => (
        <svg key={index} viewBox="0 0 20 20" aria-hidden="true">
          <path d={STAR} fill={index < Math.round(value) ? '#FFB454' : 'none'} stroke="currentColor" strokeWidth="1" />
        </svg>
      ))}
    </span>
  )
}
