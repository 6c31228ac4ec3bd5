import { codeFault } from './field-words.ts'
import { OneFieldForm, type OneFieldProps } from './OneFieldForm.tsx'

/** A form that asks for the code of a mail. */
export function CodeForm({ hint, ...form }: Omit<OneFieldProps, 'field' | 'judge'> & { hint?: string }) {
  const field = { label: 'Code from the mail', name: 'code', hint, inputMode: 'numeric' } as const
  return <OneFieldForm {...form} field={{ ...field, autoComplete: 'one-time-code' }} judge={codeFault} />
}
