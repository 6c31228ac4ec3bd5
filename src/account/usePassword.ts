import { useState } from 'react'
import { useFields } from '../ui/useFields.ts'
import { passwordTrouble, type SignUpTrouble } from './account.ts'

export type Password = ReturnType<typeof usePassword>

const NOTHING_TYPED = { password: '', passwordConfirmation: '' }
type Typed = typeof NOTHING_TYPED

function faultsOf({ password, passwordConfirmation }: Typed): Partial<Typed> {
  const problem = passwordTrouble(password, passwordConfirmation)
  return problem?.field ? { [problem.field]: problem.words } : {}
}

/** a password that is typed twice, and what is wrong with it, wherever one is chosen. */
export function usePassword() {
  const { form, field, check, show } = useFields(() => NOTHING_TYPED, faultsOf)
  const [shown, setShown] = useState(false)
  const [trouble, setTrouble] = useState<SignUpTrouble | null>(null)

  return {
    form,
    /** What the service refused: at its field where it names one. */
    say(problem: SignUpTrouble): void {
      if (problem.field) show({ [problem.field]: problem.words })
      else setTrouble(problem)
    },
    /** What went wrong with the form as a whole. */
    trouble,
    fields: { password: field('password'), confirmation: field('passwordConfirmation'), shown, setShown },
    /** What to send; null, and said at its field, where the rules refuse it. */
    check(): Typed | null {
      setTrouble(null)
      return check()
    },
  }
}
