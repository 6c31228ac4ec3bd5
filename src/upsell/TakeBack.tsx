import { useEffect, useState } from 'react'
import type { PurchasedItem } from '../../contract/api.ts'
import type { AddOnId } from '../../contract/catalogue.ts'
import { errorOf } from '../../contract/errors.ts'
import { formatMoney } from '../../contract/money.ts'
import { call } from '../session/client.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { usePlace } from '../ui/usePlace.ts'
import { endOf, isTakenBack, type TakenBack, takenBackText, timeOf, undoFailure } from './undo-text.ts'
import './take-back.css'

interface Props {
  sessionId: string
  item: PurchasedItem & { productId: AddOnId }
  name: string
}

type State = 'open' | 'asking' | 'busy' | 'over' | TakenBack

/** H-05: takes an add-on back after a confirmed click, for ten minutes; says so when they are over. */
export function TakeBack({ sessionId, item, name }: Props) {
  const { productId, amount } = item
  const [until] = useState(() => endOf(item.undoSeconds))
  const [state, setState] = useState<State>(item.undoing ? 'undoing' : 'open')
  const [failure, setFailure] = useState<string | null>(null)
  const [place, focusPlace] = usePlace<HTMLDivElement>()
  const money = formatMoney(amount)

  useEffect(() => {
    if (!until) return
    const end = (now: State): State => (now === 'open' || now === 'asking' ? 'over' : now)
    const timer = setTimeout(() => setState(end), Math.max(0, until - Date.now()))
    return () => clearTimeout(timer)
  }, [until])

  function show(next: State): void {
    setState(next)
    focusPlace()
  }

  async function undo(): Promise<void> {
    setState('busy')
    setFailure(null)
    const outcome = await call('undoUpsell', { path: { sessionId, productId } })
    if (outcome.ok) return show(outcome.data.state)
    if (outcome.code === 'undo_over') return show('over')
    setFailure(undoFailure(outcome))
    setState('asking')
  }

  return (
    <div className="take-back" ref={place} tabIndex={-1}>
      {state === 'open' && (
        <>
          <button type="button" className="link-button" onClick={() => show('asking')}>
            Take back<span className="visually-hidden"> {name}</span>
          </button>{' '}
          {until && <span className="quiet small">full refund until {timeOf(until)}</span>}
        </>
      )}
      {(state === 'asking' || state === 'busy') && (
        <div role="group" aria-label={`Take back ${name}`}>
          <p>
            Take back <strong>{name}</strong>? {money} is refunded and it leaves your account.
          </p>
          {failure && (
            <Notice tone="danger" title={failure} live="assertive">
              {null}
            </Notice>
          )}
          <div className="take-back-choice">
            <Button busy={state === 'busy'} busyLabel="Taking it back" onClick={() => void undo()}>
              Yes, refund {money}
            </Button>
            <Button look="quiet" busy={state === 'busy'} onClick={() => show('open')}>
              Keep it
            </Button>
          </div>
        </div>
      )}
      {isTakenBack(state) && (
        <p className="take-back-done" role="status">
          {takenBackText(state, money)}
        </p>
      )}
      {state === 'over' && (
        <p className="quiet small" role="status">
          {errorOf('undo_over').words}
        </p>
      )}
    </div>
  )
}
