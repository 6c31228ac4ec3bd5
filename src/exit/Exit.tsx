import { useEffect, useState } from 'react'
import type { ExitReceived } from '../../contract/api.ts'
import { exitWords } from '../../contract/exit.ts'
import { browserConfig, call } from '../session/client.ts'
import { newUuid } from '../session/id.ts'
import { linkToken } from '../session/link-token.ts'
import { useFields } from '../ui/useFields.ts'
import { ExitCheck } from './ExitCheck.tsx'
import { ExitForm } from './ExitForm.tsx'
import { ExitReceipt } from './ExitReceipt.tsx'
import { EMPTY, problemsOf } from './exit-text.ts'
import { TakeExitBack } from './TakeExitBack.tsx'
import './exit.css'

/** Any fragment that is no token, like that of the skip link, is none of ours. */
const SHORTEST_TOKEN = 40

type Step = 'form' | 'check'

/** H-02, H-04: cancelling or withdrawing without a sign-in; with the token of an acknowledgement, taking it back. */
export function Exit({ contactEmail }: { contactEmail: string }) {
  const [token, setToken] = useState('')
  const [words, setWords] = useState(exitWords(null))
  const fields = useFields(() => EMPTY, problemsOf)
  const { values: draft, take, refuse } = fields
  const [step, setStep] = useState<Step>('form')
  const [moved, setMoved] = useState(false)
  const [received, setReceived] = useState<ExitReceived | null>(null)
  /** One statement however often its button is pressed; a changed one is another. */
  const [id, setId] = useState('')

  useEffect(() => {
    // what was chosen and typed before the script had come
    const adopt = (form: HTMLFormElement) => take(Object.fromEntries(new FormData(form)))
    document.querySelectorAll<HTMLFormElement>('form[data-exit]').forEach(adopt)
    const open = () => {
      const given = linkToken()
      if (given.length >= SHORTEST_TOKEN) setToken(given)
    }
    open()
    void browserConfig().then((outcome) => outcome.ok && setWords(exitWords(outcome.data.country)))
    const back = () => {
      setMoved(true)
      setStep('form')
    }
    addEventListener('popstate', back)
    // the mail's link opened in the tab that shows this page
    addEventListener('hashchange', open)
    return () => {
      removeEventListener('popstate', back)
      removeEventListener('hashchange', open)
    }
  }, [take])

  if (token) return <TakeExitBack key={token} token={token} contactEmail={contactEmail} />
  if (received && draft.kind) return <ExitReceipt draft={draft} kind={draft.kind} received={received} />
  if (step === 'check' && draft.kind) {
    const { kind, reason, ...rest } = draft
    const body = { ...rest, kind, id, ...(reason.trim() ? { reason } : {}) }
    return (
      <ExitCheck
        draft={draft}
        kind={kind}
        label={words[kind].confirm}
        lang={words.lang}
        contactEmail={contactEmail}
        send={async () => {
          const outcome = await call('leave', { body })
          if (outcome.ok) return void setReceived(outcome.data)
          if (!refuse(outcome)) return outcome
          history.back()
        }}
      />
    )
  }
  return (
    <ExitForm
      fields={fields}
      words={words}
      focus={moved}
      onDone={() => {
        setId(newUuid())
        history.pushState({ exit: 'check' }, '')
        setStep('check')
      }}
    />
  )
}
