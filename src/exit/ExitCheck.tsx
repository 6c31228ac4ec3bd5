import { useState } from 'react'
import type { ExitKind } from '../../contract/exit.ts'
import { wordsOf } from '../members/client.ts'
import type { Failure } from '../session/http.ts'
import { Button } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { Title } from '../ui/Title.tsx'
import { type Draft, EFFECTS, factsOf } from './exit-text.ts'
import { ExitFacts } from './ExitFacts.tsx'

interface Props {
  draft: Draft
  kind: ExitKind
  label: string
  lang: string
  contactEmail: string
  /** Resolves to why it was not received; to nothing once the page moves on. */
  send: () => Promise<Failure | undefined | void>
}

/** The separate confirmation: what was typed, and the one button that sends it. */
export function ExitCheck({ draft, kind, label, lang, contactEmail, send }: Props) {
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  async function confirm(): Promise<void> {
    setBusy(true)
    setTrouble(null)
    const failure = await send()
    setBusy(false)
    if (failure) setTrouble(wordsOf(failure))
  }
  return (
    <div className="step">
      <Title focus>{kind === 'end' ? 'Cancel now?' : 'Withdraw now?'}</Title>
      <ExitFacts facts={factsOf(draft)} />
      <p>{EFFECTS[kind]}</p>
      {trouble && (
        <FailureNotice title={trouble}>
          <p className="small">
            You can also write the same to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>: it counts from when it
            is sent.
          </p>
        </FailureNotice>
      )}
      <Button busy={busy} busyLabel="Sending" onClick={() => void confirm()}>
        <span lang={lang}>{label}</span>
      </Button>
      <Button look="text" onClick={() => history.back()}>
        Change something
      </Button>
    </div>
  )
}
