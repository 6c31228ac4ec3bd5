import { useCallback, useEffect, useState } from 'react'
import type { UndoLinkView } from '../../contract/api.ts'
import { product } from '../../contract/catalogue.ts'
import { errorOf } from '../../contract/errors.ts'
import { formatMoney } from '../../contract/money.ts'
import { Unreachable } from '../ui/Unreachable.tsx'
import { call } from '../session/client.ts'
import { linkToken } from '../session/link-token.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { Title } from '../ui/Title.tsx'
import { endOf, isTakenBack, takenBackText, timeOf, undoFailure } from './undo-text.ts'

const HEADINGS: Readonly<Record<UndoLinkView['state'], string>> = {
  valid: 'Take this back?',
  undone: 'Taken back',
  undoing: 'Taken back',
  unrefunded: 'The refund did not arrive',
  over: 'The ten minutes are over',
  invalid: 'This link is not complete',
}

type View = UndoLinkView & { until: number | null }

/** H-05: the page behind a receipt's link: shows what it is about and asks once; opening it changes nothing. */
export function UndoLink({ contactEmail }: { contactEmail: string }) {
  const [view, setView] = useState<View | 'loading' | 'unreachable'>('loading')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [moved, setMoved] = useState(false)

  const load = useCallback(async (): Promise<void> => {
    const outcome = await call('undoLink', { body: { token: linkToken() } })
    setView(outcome.ok ? { ...outcome.data, until: endOf(outcome.data.undoSeconds) } : 'unreachable')
  }, [])
  useEffect(() => {
    // eslint-disable-next-line react-hooks/set-state-in-effect -- the state is set when the service has answered
    void load()
  }, [load])

  async function undo(): Promise<void> {
    setBusy(true)
    setFailure(null)
    const outcome = await call('undoByLink', { body: { token: linkToken() } })
    setBusy(false)
    if (!outcome.ok && outcome.code !== 'undo_over') return setFailure(undoFailure(outcome))
    await load()
    setMoved(true)
  }

  if (view === 'unreachable') {
    return (
      <Unreachable
        onRetry={() => {
          setView('loading')
          void load()
        }}
      />
    )
  }
  if (view === 'loading') {
    return (
      <p className="pay-loading">
        <Spinner label="Loading" /> Looking up your add-on…
      </p>
    )
  }
  const { state, productId, amount, until } = view
  const name = productId ? product(productId).name : ''
  const money = formatMoney(amount ?? 0)
  return (
    <div className="step">
      <Title focus={moved}>{HEADINGS[state]}</Title>
      {state === 'valid' && (
        <>
          <p>
            <strong>{name}</strong>, {money}. All of it is refunded and it leaves your account.
            {until && ` You can do this until ${timeOf(until)}.`}
          </p>
          {failure && (
            <Notice tone="danger" title={failure} live="assertive">
              {null}
            </Notice>
          )}
          <Button busy={busy} busyLabel="Taking it back" onClick={() => void undo()}>
            Take it back, refund {money}
          </Button>
          <ButtonLink look="text" href="/app/">
            Keep it
          </ButtonLink>
        </>
      )}
      {isTakenBack(state) && (
        <p role="status">
          <strong>{name}</strong>: {takenBackText(state, money)}
        </p>
      )}
      {state === 'over' && (
        <p role="status">
          {name}: {errorOf('undo_over').words} Questions? Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
          .
        </p>
      )}
      {state === 'invalid' && <p>Please open it from the mail again. Nothing was changed.</p>}
    </div>
  )
}
