import { useRef, useState } from 'react'
import { passwordTrouble, type SignUpTrouble } from './account.ts'

export type Password = ReturnType<typeof usePassword>

/** a password that is typed twice, and what is wrong with it, wherever one is chosen. */
export function usePassword() {
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [shown, setShown] = useState(false)
  const [trouble, setTrouble] = useState<SignUpTrouble | null>(null)
  const form = useRef<HTMLFormElement>(null)

  function say(problem: SignUpTrouble): void {
    setTrouble(problem)
    if (problem.field) form.current?.querySelector<HTMLInputElement>(`[name="${problem.field}"]`)?.focus()
  }

  const field = (name: SignUpTrouble['field'], value: string, set: (value: string) => void) => ({
    value,
    onChange: (next: string) => {
      set(next)
      if (trouble?.field) setTrouble(null)
    },
    /** What is wrong is said once the field is left; an empty one is only asked for when the form is sent. */
    onBlur: () => {
      const problem = value ? passwordTrouble(password, name === 'password' ? password : confirmation) : undefined
      if (problem?.field === name) setTrouble(problem)
    },
    error: trouble?.field === name ? trouble.words : null,
  })

  return {
    form,
    say,
    /** What went wrong with the form as a whole; a field's trouble is shown at the field. */
    trouble: trouble?.field ? null : trouble,
    fields: {
      password: field('password', password, setPassword),
      confirmation: field('passwordConfirmation', confirmation, setConfirmation),
      shown,
      setShown,
    },
    /** What to send; null, and said at its field, where the rules refuse it. */
    check(): { password: string; passwordConfirmation: string } | null {
      setTrouble(null)
      const problem = passwordTrouble(password, confirmation)
      if (problem) say(problem)
      return problem ? null : { password, passwordConfirmation: confirmation }
    },
  }
}
