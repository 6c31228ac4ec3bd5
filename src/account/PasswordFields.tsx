import { PASSWORD_HINT } from '../../contract/password.ts'
import { CheckField, TextField } from '../ui/TextField.tsx'
import type { Password } from './usePassword.ts'

/** `email`: the user name, for the browser's password store; it cannot be changed here. */
export function PasswordFields({ fields, email }: { fields: Password['fields']; email?: string | null | undefined }) {
  const { password, confirmation, shown, setShown } = fields
  return (
    <>
      {email && (
        <TextField
          label="Email (your username)"
          name="username"
          type="email"
          autoComplete="username"
          value={email}
          onChange={() => undefined}
          readOnly
        />
      )}
      <TextField
        {...password}
        label="Password"
        type={shown ? 'text' : 'password'}
        autoComplete="new-password"
        hint={PASSWORD_HINT}
        required
      />
      <TextField
        {...confirmation}
        label="Confirm password"
        type={shown ? 'text' : 'password'}
        autoComplete="new-password"
        required
      />
      <CheckField name="show" checked={shown} onChange={setShown}>
        Show the password
      </CheckField>
    </>
  )
}
