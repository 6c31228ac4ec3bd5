import { useCallback, useEffect, useState } from 'react'
import type { ExitView } from '../../contract/api.ts'
import { Unreachable } from '../ui/Unreachable.tsx'
import { Failed, Loading } from '../members/parts.tsx'
import { call } from '../session/client.ts'
import type { Failure } from '../session/http.ts'
import { Button } from '../ui/Button.tsx'
import { Title } from '../ui/Title.tsx'
import { momentOf } from './exit-text.ts'

const HEADINGS: Record<ExitView['state'], string> = {
  valid: 'Take it back?',
  taken_back: 'Taken back',
  nothing: 'There is nothing to take back',
  over: 'It can no longer be taken back',
  invalid: 'This link does not work',
}

const MEANING: Record<Exclude<ExitView['state'], 'valid'>, string> = {
  taken_back:
    'What you bought stays as it was, and a subscription goes on. A mail confirms it where something had ended.',
  nothing: 'There was nothing left to end under this address, so nothing was changed.',
  over: 'It was carried out, or the paid time is over.',
  invalid: 'It is not complete, or too old. Nothing was changed. Please open it from the mail again.',
}

/** H-04: the link of an acknowledgement: shows what it is about and asks once; opening it changes nothing. */
export function TakeExitBack({ token, contactEmail }: { token: string; contactEmail: string }) {
  const [view, setView] = useState<ExitView | 'loading' | 'unreachable'>('loading')
  const [acted, setActed] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)

  const load = useCallback(async (): Promise<void> => {
    const outcome = await call('exitLink', { body: { token } })
    setView(outcome.ok ? outcome.data : 'unreachable')
  }, [token])
  useEffect(() => {
    // eslint-disable-next-line react-hooks/set-state-in-effect -- the state is set when the service has answered
    void load()
  }, [load])

  async function takeBack(): Promise<void> {
    setBusy(true)
    setFailure(null)
    const outcome = await call('takeExitBack', { body: { token } })
    setBusy(false)
    if (!outcome.ok) return setFailure(outcome)
    setActed(true)
    setView(outcome.data)
  }

  if (view === 'loading') return <Loading />
  if (view === 'unreachable') return <Unreachable onRetry={() => void load()} />
  const { state, kind, receivedAt } = view
  return (
    <div className="step" role={acted ? 'status' : undefined}>
      <Title focus={acted}>{HEADINGS[state]}</Title>
      {state === 'valid' ? (
        <>
          <p>
            The {kind === 'end' ? 'cancellation' : 'withdrawal'} that we received on{' '}
            {receivedAt ? momentOf(receivedAt) : 'our page'} has no effect then: what you bought stays as it was, and a
            subscription goes on and is charged as before.
          </p>
          {failure && <Failed failure={failure} />}
          <Button busy={busy} busyLabel="Taking it back" onClick={() => void takeBack()}>
            Take it back
          </Button>
        </>
      ) : (
        <p>
          {MEANING[state]} Questions? Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
        </p>
      )}
    </div>
  )
}
