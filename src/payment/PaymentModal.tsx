import { Elements } from '@stripe/react-stripe-js'
import { useEffect, useRef, useState } from 'react'
import type { BrowserConfig } from '../../contract/api.ts'
import { paymentMessage } from '../../contract/payment-messages.ts'
import { sleep } from '../session/id.ts'
import { browserConfig, call } from '../session/client.ts'
import { pagePath } from '../session/page-session.ts'
import { trackPurchase } from '../tracking/tracking.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { LostSession } from '../funnel/LostSession.tsx'
import { NEXT_STEPS, trouble } from './failures.ts'
import { settle, type PayResult } from './pay.ts'
import { PaymentForm, type PaymentFormProps } from './PaymentForm.tsx'
import { TroubleNotice } from './TroubleNotice.tsx'
import type { Phase } from './usePayment.ts'
import { usePaymentProvider } from './usePaymentProvider.ts'
import { refreshShown } from './shown.ts'

export type PaymentModalProps = Omit<PaymentFormProps, 'config' | 'onPhase' | 'onResult'> & {
  /** True while a payment must not be cut off: the dialog cannot be closed. */
  onBusy: (busy: boolean) => void
}

/** The contents of the payment dialog: loads the payment script, shows the form, then the states after it. */
export default function PaymentModal(props: PaymentModalProps) {
  const { session, productId } = props
  const { stripe, failed, retry } = usePaymentProvider()
  const [config, setConfig] = useState<BrowserConfig | null>(null)
  const [after, setAfter] = useState<PayResult | null>(null)
  const leaving = useRef(false)
  const busy = useRef(false)

  useEffect(() => {
    if (failed) return
    let gone = false
    void browserConfig().then((outcome) => {
      if (outcome.ok && !gone) setConfig(outcome.data)
    })
    return () => {
      gone = true
    }
  }, [failed])

  useEffect(refreshShown, [])

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      if (busy.current && !leaving.current) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [])

  function onPhase(phase: Phase): void {
    // who leaves for PayPal does what the page asked for: no warning then
    busy.current = phase !== 'idle' && phase !== 'leaving'
    props.onBusy(phase !== 'idle')
  }

  function onStarted(): void {
    setAfter(null)
    props.onStarted()
  }

  function onResult(result: PayResult): void {
    if (result.kind === 'settled') {
      leaving.current = true
      props.onBusy(true)
      const next = pagePath(result.nextPage, session.sessionId)
      void trackPurchase(session.sessionId, result.productId ?? productId).then(() => location.assign(next))
    }
    setAfter(result)
  }

  async function lookAgain(paymentIntentId: string): Promise<void> {
    onResult(await settle({ call, wait: sleep }, session.sessionId, paymentIntentId))
  }

  if (after?.kind === 'settled') {
    return (
      <Notice tone="good" title="Payment received. Thank you!" live="polite">
        <p>Taking you to the next step…</p>
      </Notice>
    )
  }
  if (after?.kind === 'session_lost') {
    return (
      <LostSession sessionId={session.sessionId} inDialog>
        {after.paid && <TroubleNotice trouble={trouble('processed_not_finalized')} />}
      </LostSession>
    )
  }
  if (after?.kind === 'processing') return <Processing onLook={() => lookAgain(after.paymentIntentId)} />
  if (after?.kind === 'failed' && after.trouble.money === 'charged') {
    return <Charged words={after.trouble.words} contactEmail={props.settings.contactEmail} />
  }
  if (failed) {
    return (
      <div className="stack">
        <Notice tone="danger" title={paymentMessage('system_not_available')} live="assertive">
          <p className="small">{NEXT_STEPS.not_charged}</p>
        </Notice>
        <Button onClick={retry}>Try again</Button>
      </div>
    )
  }
  return (
    <Elements stripe={stripe}>
      {stripe === null && (
        <p className="pay-loading">
          <Spinner label="Loading the payment form" /> Loading the payment form…
        </p>
      )}
      {after && <TroubleNotice trouble={after.trouble} />}
      <PaymentForm {...props} config={config} onPhase={onPhase} onStarted={onStarted} onResult={onResult} />
    </Elements>
  )
}

/** Charged, and not recorded as far as this page knows: nobody may pay again. */
function Charged({ words, contactEmail }: { words: string; contactEmail: string }) {
  return (
    <Notice tone="caution" title={words} live="assertive">
      <p>{NEXT_STEPS.charged}</p>
      <p>
        Write to us at <a href={`mailto:${contactEmail}`}>{contactEmail}</a>, or look again in a minute.
      </p>
      <Button look="quiet" onClick={() => location.reload()}>
        Look again
      </Button>
    </Notice>
  )
}

/** A payment that is still being decided: checks again every five seconds, and says that nothing is lost. */
function Processing({ onLook }: { onLook: () => Promise<void> }) {
  const look = useRef(onLook)
  useEffect(() => {
    look.current = onLook
  })
  useEffect(() => {
    const timer = setTimeout(() => void look.current(), 5_000)
    return () => clearTimeout(timer)
  })
  return (
    <Notice tone="info" title={paymentMessage('payment_processing')} live="polite">
      <p>
        Your bank has not decided yet. You can wait here, or close this page: we will send you an email. Please do not
        pay again.
      </p>
      <p>
        <Spinner label="Waiting for your bank" />
      </p>
    </Notice>
  )
}
