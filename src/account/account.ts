import { errorOf } from '../../contract/errors.ts'
import { PASSWORD_MAX, PASSWORD_MESSAGES, passwordProblem, type PasswordProblem } from '../../contract/password.ts'
import { paymentMessage, type PaymentMessageCode } from '../../contract/payment-messages.ts'
import type { Failure } from '../session/http.ts'

/** What is wrong with a sign-up form, and where it is said. */
export interface SignUpTrouble {
  words: string
  field: 'password' | 'passwordConfirmation' | null
  /** The address already has an account: sign in instead. */
  signIn?: boolean
}

const atPassword = (problem: PasswordProblem): SignUpTrouble => ({
  words: PASSWORD_MESSAGES[problem],
  field: problem === 'passwords_differ' ? 'passwordConfirmation' : 'password',
})

/** the first rule that the two passwords break. */
export function passwordTrouble(password: string, confirmation: string): SignUpTrouble | undefined {
  const problem = passwordProblem(password, confirmation)
  if (problem) return atPassword(problem)
  if (password.length > PASSWORD_MAX) {
    return { words: `Please use at most ${PASSWORD_MAX} characters.`, field: 'password' }
  }
  return undefined
}

const SIGN_UP: readonly PaymentMessageCode[] = ['account_exists', 'account_email_invalid', 'account_password_weak']

/** the four failure messages; a password rule that only the service checked is shown at its field. */
export function signUpTrouble(failed: Failure): SignUpTrouble {
  if (failed.kind === 'network' || failed.kind === 'timeout') {
    return {
      words: 'We cannot reach our service. Nothing is lost: please check your connection and try again.',
      field: null,
    }
  }
  const code = failed.code ?? ''
  if (Object.hasOwn(PASSWORD_MESSAGES, code)) return atPassword(code as PasswordProblem)
  if ((SIGN_UP as readonly string[]).includes(code)) {
    return {
      words: paymentMessage(code as PaymentMessageCode),
      field: code === 'account_password_weak' ? 'password' : null,
      signIn: code === 'account_exists',
    }
  }
  if (code === 'too_many_requests') return { words: failed.words ?? errorOf(code).words, field: null }
  return { words: paymentMessage('account_failed'), field: null }
}
