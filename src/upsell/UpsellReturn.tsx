import { useEffect, useRef, useState } from 'react'
import { paymentMessage, type PaymentMessageCode } from '../../contract/payment-messages.ts'
import { settle } from '../checkout/payment/pay.ts'
import { readUpsellReturn } from '../checkout/returns.ts'
import { sleep, storedSessionId } from '../session/id.ts'
import { call } from '../session/client.ts'
import { pagePath } from '../session/page-session.ts'
import { local } from '../session/storage.ts'
import { trackPurchase } from '../tracking/tracking.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Spinner } from '../ui/Spinner.tsx'

/** A failed return: the words, and the session whose offers 'Try Again' opens. */
interface Failed {
  code: PaymentMessageCode
  sessionId: string | null
}

type Reading = { sessionId: string; paymentIntentId: string } | Failed

/** /upsell-paypal-return/{sessionId}/{paymentIntentId}/{productId}, and /upsell-payment-complete/{paymentIntentId} (U-10). */
function read(kind: 'paypal' | 'complete', pathname: string): Reading {
  const stored = storedSessionId(local)
  if (kind === 'paypal') return readUpsellReturn(pathname) ?? { code: 'upsell_return_parameters', sessionId: stored }
  const paymentIntentId = pathname.split('/')[2] ?? ''
  if (!paymentIntentId.startsWith('pi_') || !stored) return { code: 'upsell_return_parameters', sessionId: stored }
  return { sessionId: stored, paymentIntentId }
}

/** Finishes an add-on that came back from PayPal or 3-D Secure; runs once, and a reload ends the same. */
export function UpsellReturn({ kind }: { kind: 'paypal' | 'complete' }) {
  const [failed, setFailed] = useState<Failed | null>(null)
  const [pending, setPending] = useState(false)
  const ran = useRef(false)

  useEffect(() => {
    if (ran.current) return
    ran.current = true
    void finish(read(kind, location.pathname))

    async function finish(found: Reading): Promise<void> {
      history.replaceState(null, '', location.pathname)
      if ('code' in found) return setFailed(found)
      const { sessionId, paymentIntentId } = found
      const session = await call('session', { path: { sessionId } })
      if (session.ok && !session.data.email) return setFailed({ code: 'upsell_return_customer', sessionId })
      for (;;) {
        const result = await settle({ call, wait: sleep }, sessionId, paymentIntentId)
        if (result.kind === 'settled') {
          if (result.productId) trackPurchase(sessionId, result.productId)
          await call('finishUpsell', { path: { sessionId }, body: { reason: 'completed' } })
          location.replace(pagePath('user-creation', sessionId))
          return
        }
        if (result.kind !== 'processing') return setFailed({ code: 'upsell_return_failed', sessionId })
        setPending(true)
        await sleep(5_000)
      }
    }
  }, [kind])

  if (failed) {
    return (
      <div className="step">
        <h1>Payment Error</h1>
        <Notice tone="danger" title={paymentMessage(failed.code)} live="assertive">
          <p>If this add-on was paid for, it will be in your account by itself; you are never charged twice for it.</p>
        </Notice>
        <ButtonLink href={failed.sessionId ? `/upsell/${failed.sessionId}` : '/upsell'}>Try Again</ButtonLink>
      </div>
    )
  }
  return (
    <div className="step centered" role="status">
      <h1>{pending ? paymentMessage('payment_processing') : 'Checking your payment'}</h1>
      <p>
        <Spinner label="Checking your payment" />
      </p>
      <p className="quiet">Please keep this page open. It takes a few seconds.</p>
    </div>
  )
}
