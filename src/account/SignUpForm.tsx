import { Button, ButtonLink } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { PasswordFields } from './PasswordFields.tsx'
import type { SignUp } from './useSignUp.ts'

/** the e-mail address is the username and cannot be changed here; the password is typed twice. */
export function SignUpForm({ signUp, email, button }: { signUp: SignUp; email: string; button: string }) {
  const { form, fields, busy, trouble, submit } = signUp
  return (
    <form className="stack" ref={form} onSubmit={submit} noValidate>
      <PasswordFields fields={fields} email={email} />
      {trouble && (
        <FailureNotice title={trouble.words}>
          {trouble.signIn ? (
            <ButtonLink look="text" href="/app/">
              Sign in
            </ButtonLink>
          ) : (
            <p className="small">Your purchase is safe.</p>
          )}
        </FailureNotice>
      )}
      <Button type="submit" busy={busy} busyLabel="Creating your account">
        {button}
      </Button>
    </form>
  )
}
