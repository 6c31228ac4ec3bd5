import { PASSWORD_HINT } from '../../contract/password.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { CheckField, TextField } from '../ui/TextField.tsx'
import type { SignUp } from './useSignUp.ts'

/** the e-mail address is the username and cannot be changed here; the password is typed twice. */
export function SignUpForm({ signUp, email, button }: { signUp: SignUp; email: string; button: string }) {
  const { ref, busy, trouble, shown, setShown } = signUp
  return (
    <form className="stack" ref={ref} onSubmit={signUp.submit} noValidate>
      <TextField
        label="Email (your username)"
        name="username"
        type="email"
        autoComplete="username"
        value={email}
        onChange={() => undefined}
        readOnly
      />
      <TextField
        {...signUp.password}
        label="Password"
        name="password"
        type={shown ? 'text' : 'password'}
        autoComplete="new-password"
        hint={PASSWORD_HINT}
        required
      />
      <TextField
        {...signUp.confirmation}
        label="Confirm password"
        name="passwordConfirmation"
        type={shown ? 'text' : 'password'}
        autoComplete="new-password"
        required
      />
      <CheckField name="show" checked={shown} onChange={setShown}>
        Show the password
      </CheckField>
      {trouble && (
        <Notice tone="danger" title={trouble.words} live="assertive">
          {trouble.signIn ? (
            <ButtonLink look="text" href="/app/">
              Sign in
            </ButtonLink>
          ) : (
            <p className="small">Your purchase is safe.</p>
          )}
        </Notice>
      )}
      <Button type="submit" busy={busy} busyLabel="Creating your account">
        {button}
      </Button>
    </form>
  )
}
