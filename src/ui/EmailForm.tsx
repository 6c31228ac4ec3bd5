import { emailFault } from './field-words.ts'
import { OneFieldForm, type OneFieldProps } from './OneFieldForm.tsx'

interface Props extends Omit<OneFieldProps, 'field' | 'judge'> {
  autoComplete: 'email' | 'username'
  label?: string
  name?: string
  hint?: string
}

/** A form that asks for an e-mail address. */
export function EmailForm({ autoComplete, label = 'Email', name = 'email', hint, ...form }: Props) {
  const field = { label, name, autoComplete, hint, type: 'email', inputMode: 'email' } as const
  return <OneFieldForm {...form} field={field} judge={(text) => emailFault(text)} />
}
