import { useState } from 'react'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { Notice } from '../ui/Notice.tsx'
import { CheckField, TextField } from '../ui/TextField.tsx'
import { useSignIn } from './useSignIn.ts'

/** sign in with address and password, or by a link in a mail. The page that was asked for opens afterwards. */
export function SignIn({ onDone }: { onDone: () => void }) {
  const { form, field, busy, trouble, sent, signIn, sendLink } = useSignIn(onDone)
  const [shown, setShown] = useState(false)
  return (
    <div className="step">
      <h1>Sign in</h1>
      <p className="quiet">With the email address of your order.</p>
      <form className="stack" ref={form} onSubmit={(event) => void signIn(event)} noValidate>
        <TextField {...field('email')} label="Email" type="email" inputMode="email" autoComplete="username" required />
        <TextField
          {...field('password')}
          label="Password"
          type={shown ? 'text' : 'password'}
          autoComplete="current-password"
          required
        />
        <CheckField name="show" checked={shown} onChange={setShown}>
          Show the password
        </CheckField>
        {trouble && (
          <FailureNotice title={trouble}>
            <p className="small">
              <a href="/app/forgot-password">Choose a new password</a>, or have us mail you a link that signs you in.
            </p>
          </FailureNotice>
        )}
        <Button type="submit" busy={busy === 'password'} busyLabel="Signing in">
          Sign in
        </Button>
      </form>
      <p className="members-or">or without a password</p>
      <Button look="quiet" onClick={() => void sendLink()} busy={busy === 'link'} busyLabel="Sending the link">
        Email me a sign-in link
      </Button>
      {sent && (
        <Notice tone="good" title="Look into your mailbox." live="polite">
          <p>
            If there is an account for <strong>{sent}</strong>, a link is on its way. It works once, for 30 minutes.
          </p>
        </Notice>
      )}
      <ButtonLink look="text" href="/app/forgot-password">
        I forgot my password
      </ButtonLink>
    </div>
  )
}
