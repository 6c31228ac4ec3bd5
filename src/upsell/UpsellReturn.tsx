import { useEffect, useRef, useState } from 'react'
import { paymentMessage, type PaymentMessageCode } from '../../contract/payment-messages.ts'
import { settle } from '../payment/pay.ts'
import { readUpsellReturn } from '../paypal-return/returns.ts'
import { sleep, storedSessionId } from '../session/id.ts'
import { call } from '../session/client.ts'
import { pagePath } from '../session/page-session.ts'
import { isSessionLost } from '../session/http.ts'
import { local, visit } from '../session/storage.ts'
import { trackPurchase } from '../tracking/tracking.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { cutShort, forgetPicks, readPicks } from './picks.ts'
import { kept, ownedGuides } from './selection.ts'

/** A failed return: its message, and the session whose offers 'Try Again' opens. */
interface Failed {
  code: PaymentMessageCode
  sessionId: string | null
}

type Reading = { sessionId: string; paymentIntentId: string } | Failed

/**
 * /upsell-paypal-return/{sessionId}/{paymentIntentId}/{productId}, and
 * /upsell-payment-complete/{paymentIntentId} (U-10).
 */
function read(kind: 'paypal' | 'complete', pathname: string): Reading {
  const stored = storedSessionId(local)
  if (kind === 'paypal') return readUpsellReturn(pathname) ?? { code: 'upsell_return_parameters', sessionId: stored }
  const paymentIntentId = pathname.split('/')[2] ?? ''
  if (!paymentIntentId.startsWith('pi_') || !stored) return { code: 'upsell_return_parameters', sessionId: stored }
  return { sessionId: stored, paymentIntentId }
}

/** Finishes an add-on after PayPal or 3-D Secure. Runs once, and a reload ends the same way. */
export function UpsellReturn({ kind }: { kind: 'paypal' | 'complete' }) {
  const [failed, setFailed] = useState<Failed | null>(null)
  const [pending, setPending] = useState(false)
  const ran = useRef(false)

  useEffect(() => {
    if (ran.current) return
    ran.current = true
    void finish(read(kind, location.pathname))

    async function finish(found: Reading): Promise<void> {
      const secret = new URLSearchParams(location.search).get('payment_intent_client_secret')
      history.replaceState(null, '', location.pathname)
      if ('code' in found) return setFailed(found)
      const { sessionId, paymentIntentId } = found
      const path = { sessionId }
      let session = await call('session', { path })
      // P-07: a return in another browser proves itself once, with its secret
      if (!session.ok && isSessionLost(session) && secret) {
        await call('claimReturn', { body: { clientSecret: secret } })
        session = await call('session', { path })
      }
      if (session.ok && !session.data.email) return setFailed({ code: 'upsell_return_customer', sessionId })
      for (;;) {
        const result = await settle({ call, wait: sleep }, sessionId, paymentIntentId)
        if (result.kind === 'settled') {
          if (result.productId) await trackPurchase(sessionId, result.productId)
          return goOn(sessionId)
        }
        if (result.kind !== 'processing') return setFailed({ code: 'upsell_return_failed', sessionId })
        setPending(true)
        await sleep(5_000)
      }
    }

    /** U-07: to the account page, or back to the offers where parts of the order are not paid for yet. */
    async function goOn(sessionId: string): Promise<void> {
      const path = { sessionId }
      const picks = readPicks(visit, sessionId)
      const bought = picks?.ordering ? await call('purchases', { path }) : null
      const owned = bought?.ok ? ownedGuides(kept(bought.data.items)) : null
      if (owned && cutShort(picks, { owned })) return location.replace(pagePath('multi-upsell', sessionId))
      forgetPicks(visit)
      await call('finishUpsell', { path, body: { reason: 'completed' } })
      location.replace(pagePath('user-creation', sessionId))
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
