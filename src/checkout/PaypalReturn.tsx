import { useEffect, useRef, useState } from 'react'
import { paymentMessage } from '../../contract/payment-messages.ts'
import { sleep, storedSessionId } from '../session/id.ts'
import { call } from '../session/client.ts'
import { isSessionLost, isTemporary } from '../session/http.ts'
import { pagePath } from '../session/page-session.ts'
import { asRecord, local, readJson, visit, writeJson } from '../session/storage.ts'
import * as VISIT_KEYS from '../session/visit-keys.ts'
import { trackPurchase } from '../tracking/tracking.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { settle } from './payment/pay.ts'
import { paymentProvider } from './payment/provider.ts'
import { ERROR_WAIT_MS, onProblem, readReturn, withoutSecrets, type ReturnPlan, type ReturnProblem } from './returns.ts'

type Screen =
  | { state: 'working' }
  | { state: 'pending' }
  /** Another browser than the one that ordered: the payment is safe, the session stays closed (architecture). */
  | { state: 'elsewhere' }
  | { state: 'error'; words: string }

const asPlan = (value: unknown): ReturnPlan | undefined => {
  const record = asRecord(value)
  return typeof record?.clientSecret === 'string' && record.pathname === location.pathname
    ? (record as unknown as ReturnPlan)
    : undefined
}

/**
 * P-07: the standard, special-offer, trial and setup returns. Runs once, whatever mounts twice; a reload finds the plan in
 * the tab's storage and ends the same, because settling is idempotent.
 */
export function PaypalReturn() {
  const [screen, setScreen] = useState<Screen>({ state: 'working' })
  const ran = useRef(false)

  useEffect(() => {
    if (ran.current) return
    ran.current = true
    const reading = readReturn(location.pathname, location.search, storedSessionId(local))
    const kept = readJson(visit, VISIT_KEYS.returnHandled, asPlan)
    const plan = 'plan' in reading ? reading.plan : kept
    if (!plan) {
      if ('problem' in reading) fail(reading.kind, reading.problem)
      return
    }
    writeJson(visit, VISIT_KEYS.returnHandled, { ...plan, pathname: location.pathname })
    history.replaceState(null, '', withoutSecrets(location.pathname, location.search))
    void finish(plan).catch(() => fail(plan.kind, 'unexpected'))

    function fail(kind: ReturnPlan['kind'], problem: ReturnProblem, status?: string): void {
      visit.remove(VISIT_KEYS.returnHandled)
      const next = onProblem(kind, problem)
      if ('go' in next) {
        location.replace(next.go)
        return
      }
      setScreen({ state: 'error', words: paymentMessage(next.say, status ? { status } : {}) })
      setTimeout(() => location.replace('/'), ERROR_WAIT_MS)
    }

    /** P-06: the subscription starts at value 0; asked again until it has. */
    async function finishSetup(sessionId: string, setupIntentId: string): Promise<void> {
      for (;;) {
        const outcome = await call('finalizePaypalSetup', { path: { sessionId }, body: { setupIntentId } })
        if (outcome.ok && outcome.data.status === 'settled') {
          visit.remove(VISIT_KEYS.returnHandled)
          location.replace(pagePath(outcome.data.nextPage, sessionId))
          return
        }
        if (!outcome.ok && isSessionLost(outcome)) return setScreen({ state: 'elsewhere' })
        if (!outcome.ok && !isTemporary(outcome)) return fail('setup', 'unexpected')
        setScreen({ state: 'pending' })
        await sleep(3_000)
      }
    }

    async function finish({ kind, sessionId, intentId, clientSecret }: ReturnPlan): Promise<void> {
      const stripe = await paymentProvider()
      if (!stripe) return fail(kind, 'provider')
      if (kind === 'setup') {
        const { setupIntent } = await stripe.retrieveSetupIntent(clientSecret)
        if (!setupIntent) return fail(kind, 'retrieve')
        if (setupIntent.status !== 'succeeded') return fail(kind, 'failed', setupIntent.status)
        return finishSetup(sessionId, setupIntent.id)
      }
      const { paymentIntent } = await stripe.retrievePaymentIntent(clientSecret)
      if (!paymentIntent) return fail(kind, 'retrieve')
      if (paymentIntent.status !== 'succeeded' && paymentIntent.status !== 'processing') {
        return fail(kind, 'failed', paymentIntent.status)
      }
      for (;;) {
        if (paymentIntent.status === 'processing') setScreen({ state: 'pending' })
        const result = await settle({ call, wait: sleep }, sessionId, intentId)
        if (result.kind === 'settled') {
          if (result.productId) trackPurchase(sessionId, result.productId)
          visit.remove(VISIT_KEYS.returnHandled)
          // section 4: the upsell mode of the standard return ends on the thank-you page
          const upsell = new URLSearchParams(location.search).get('mode') === 'upsell'
          location.replace(upsell ? `/thank-you/${sessionId}` : pagePath(result.nextPage, sessionId))
          return
        }
        if (result.kind === 'session_lost') return setScreen({ state: 'elsewhere' })
        if (result.kind === 'failed' && result.trouble.money !== 'charged')
          return fail(kind, 'failed', paymentIntent.status)
        setScreen({ state: 'pending' })
        await sleep(5_000)
      }
    }
  }, [])

  if (screen.state === 'error') {
    return (
      <div className="step">
        <h1>Your payment was not completed</h1>
        <Notice tone="danger" title={screen.words} live="assertive">
          <p>You are taken to the start in a moment. Your answers are safe.</p>
        </Notice>
      </div>
    )
  }
  if (screen.state === 'elsewhere') {
    return (
      <div className="step">
        <Notice tone="good" title="Payment received. Thank you!" live="polite">
          <p>You began in another browser. Please see your mail: we sent you a link that opens your programme.</p>
        </Notice>
        <ButtonLink look="quiet" href="/app/">
          Sign in
        </ButtonLink>
      </div>
    )
  }
  return (
    <div className="step centered" role="status">
      <h1>{screen.state === 'pending' ? paymentMessage('payment_processing') : 'Checking your payment'}</h1>
      <p>
        <Spinner label="Checking your payment" />
      </p>
      <p className="quiet">
        {screen.state === 'pending'
          ? 'You can wait here, or close this page: we will send you an email. Please do not pay again.'
          : 'Please keep this page open. It takes a few seconds.'}
      </p>
    </div>
  )
}
