import './guide-cover.css'

/** A guide or the programme as a small book; the picture on it is the editor's emoji. `of` gives it a colour. */
export function GuideCover({ emoji, of, large = false }: { emoji: string; of: string; large?: boolean }) {
  return (
    <span className="cover" data-of={of} data-large={large || undefined} aria-hidden="true">
      <span>{emoji}</span>
    </span>
  )
}
