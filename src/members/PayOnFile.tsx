import type { OwedPayment } from '../../contract/api/subscription.ts'
import type { CardSaved } from '../../contract/members.ts'
import { formatMoney } from '../../contract/money.ts'
import { methodWords, otherCard } from '../../contract/paid-with.ts'
import type { Outcome } from '../session/http.ts'
import { paymentProvider } from '../payment/provider.ts'
import { Button } from '../ui/Button.tsx'
import { charge, type Failed, PART, uncharged, usePress } from './press.ts'
import { PressFailed } from './PressFailed.tsx'

interface Props {
  /** What the button says: the sum, and what it is charged to. */
  due: OwedPayment
  pay: (payment: OwedPayment) => Promise<Outcome<CardSaved>>
  onDone: (saved: CardSaved) => void
}

/** what is owed, paid with the method on file: the account may be filled again by now. */
export function PayOnFile({ due, pay, onDone }: Props) {
  const { busy, failed, press } = usePress(work)

  async function work(): Promise<Failed | null> {
    const paid = await charge(paymentProvider, () => pay(due), due.owed)
    if ('words' in paid) return paid
    onDone(paid)
    if (paid.result === 'part') return PART
    if (paid.result === 'owed') {
      const [who, whom] = due.paidWith.type === 'paypal' ? ['PayPal', 'PayPal'] : ['Your bank', 'your bank']
      return uncharged(`${who} refused the charge again. Please use ${otherCard(due.paidWith)}, or ask ${whom}.`)
    }
    return paid.result === 'unasked'
      ? uncharged('Something has changed meanwhile. Please check the amount and what it is charged to.')
      : null
  }

  return (
    <div className="stack">
      <PressFailed failed={failed} />
      <Button onClick={() => void press()} busy={busy} busyLabel="Paying">
        Pay {formatMoney(due.owed)} with {methodWords(due.paidWith)}
      </Button>
    </div>
  )
}
