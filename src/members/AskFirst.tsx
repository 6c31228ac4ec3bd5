import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { usePlace } from '../ui/usePlace.ts'

interface Props {
  /** What opens the question. */
  button: string
  look?: 'primary' | 'quiet' | 'text'
  onAsk?: () => void
  /** The question in a word or two, for a screen reader. */
  label: string
  /** What happens after a yes. */
  words: string
  yes: string
  busyLabel?: string
  /** Resolves with whether it is done; otherwise the question stays. */
  onYes: () => Promise<boolean>
}

/** A step that is asked about before it is taken: the question stands where its button was. */
export function AskFirst(props: Props) {
  const { button, look = 'primary', label, words, yes, busyLabel } = props
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [place, focusPlace] = usePlace<HTMLDivElement>()

  function show(next: boolean): void {
    setAsking(next)
    if (next) props.onAsk?.()
    focusPlace()
  }
  async function agree(): Promise<void> {
    setBusy(true)
    const done = await props.onYes()
    setBusy(false)
    if (done) setAsking(false)
  }

  return (
    <div ref={place} tabIndex={-1}>
      {asking ? (
        <div className="ask stack" role="group" aria-label={label}>
          <p>
            <strong>{words}</strong>
          </p>
          <Button onClick={() => void agree()} busy={busy} {...(busyLabel ? { busyLabel } : {})}>
            {yes}
          </Button>
          <Button look="quiet" onClick={() => show(false)}>
            Go back
          </Button>
        </div>
      ) : (
        <Button look={look} onClick={() => show(true)}>
          {button}
        </Button>
      )}
    </div>
  )
}
