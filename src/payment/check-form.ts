import type { Trouble } from './failures.ts'
import { fieldFaults } from './faults.ts'
import { formTrouble } from './form.ts'
import type { CardFormState } from './useCardForm.ts'

/**
 * Section 5, on submit: shows every fault at its field; resolves with the first problem, or undefined when all is well.
 * `asksEmail`: the address is one of the form's fields, so a wrong one is shown there.
 */
export async function checkForm(
  form: CardFormState,
  sessionId: string | null,
  { asksEmail }: { asksEmail: boolean },
): Promise<Trouble | undefined> {
  const typed = await form.reported()
  const fields = form.fieldsNow()
  const trouble = formTrouble(fields, typed, {
    sessionId,
    stripe: form.stripe !== null,
    elements: form.paymentMethod() !== undefined,
  })
  form.show(trouble ? fieldFaults({ ...fields, email: asksEmail ? fields.email : null }, typed) : {})
  return trouble
}
