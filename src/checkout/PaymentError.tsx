import { useEffect, useState } from 'react'
import { sleep, storedSessionId } from '../session/id.ts'
import { loadPageSession, pagePath } from '../session/page-session.ts'
import { local } from '../session/storage.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'

/** Waits before each look: a webhook may book the payment a few seconds after the buyer came here. */
const LOOKS_MS: readonly number[] = [0, 3_000, 5_000, 10_000, 20_000]

/**
 * /payment-error: what happened, what it means for the money, and how to continue. A session found to be paid moves on,
 * also where the payment is booked a little later.
 */
export function PaymentError({ contactEmail }: { contactEmail: string }) {
  const [back, setBack] = useState('/checkout')
  const [paid, setPaid] = useState(false)
  useEffect(() => {
    const sessionId = storedSessionId(local)
    if (!sessionId) return
    let gone = false
    void look(sessionId)
    return () => {
      gone = true
    }

    async function look(sessionId: string): Promise<void> {
      for (const wait of LOOKS_MS) {
        await sleep(wait)
        if (gone) return
        const page = await loadPageSession()
        setBack(`/checkout/${sessionId}`)
        if (page.state === 'lost') return
        if (page.state !== 'ready' || page.session.paymentStatus !== 'paid') continue
        setPaid(true)
        return setBack(pagePath(page.session.nextPage, sessionId))
      }
    }
  }, [])
  return (
    <div className="step" role="status">
      <h1>{paid ? 'Your payment went through' : 'Your payment was not completed'}</h1>
      {paid ? (
        <p>Everything is in order: your payment has arrived. You can go on with the next step.</p>
      ) : (
        <>
          <p>
            PayPal or your bank did not confirm the payment. Your answers and your plan are safe, and trying again will
            never charge you twice.
          </p>
          <Notice tone="info" title="What you can do">
            <ul>
              <li>Try again, with PayPal or with a card.</li>
              <li>If your account shows a charge, wait for our email: we find every payment by ourselves.</li>
              <li>
                Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a> if anything looks wrong.
              </li>
            </ul>
          </Notice>
        </>
      )}
      <ButtonLink href={back}>{paid ? 'Go on' : 'Back to the checkout'}</ButtonLink>
    </div>
  )
}
