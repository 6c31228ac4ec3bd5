import { useState } from 'react'
import type { LinkName, LinkView } from '../../contract/members.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Title } from '../ui/Title.tsx'
import { ask, type MembersSettings, wordsOf } from './client.ts'

interface Props {
  name: LinkName
  token: string
  view: LinkView
  settings: MembersSettings
}

/** H-04: a link that no longer works: a fresh one is mailed, only to the address on record. */
export function LinkTrouble({ name, token, view, settings }: Props) {
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  async function send(): Promise<void> {
    setBusy(true)
    setTrouble(null)
    const outcome = await ask('freshLink', { path: { link: name }, body: { token } })
    setBusy(false)
    if (outcome.ok) setSent(true)
    else setTrouble(wordsOf(outcome))
  }
  if (view.state === 'expired' && name !== 'invoice') {
    return (
      <div className="step">
        <Title>This link has expired</Title>
        <p>Nothing was changed. We can mail a fresh one to {view.email ?? 'the email address of the order'}.</p>
        {sent ? (
          <Notice tone="good" title="Please look into your mailbox." live="polite">
            <p>If there is still something to do with this link, a fresh one is on its way.</p>
          </Notice>
        ) : (
          <Button onClick={() => void send()} busy={busy}>
            Send me a fresh link
          </Button>
        )}
        {trouble && <FailureNotice title={trouble} />}
        <ButtonLink look="text" href="/app/subscription">
          Sign in instead
        </ButtonLink>
      </div>
    )
  }
  return (
    <div className="step">
      <Title>This link does not work</Title>
      <p>
        It is not complete, or too old. Nothing was changed. Please open it from the mail again, sign in,
        {' or write to '}
        <a href={`mailto:${settings.contactEmail}`}>{settings.contactEmail}</a>.
      </p>
      <ButtonLink href="/app/subscription">Sign in</ButtonLink>
    </div>
  )
}
