import { useEffect, useRef, useState } from 'react'
import { paymentMessage } from '../../contract/payment-messages.ts'
import { takeOver } from '../session/handover.ts'
import { sleep, storedSessionId } from '../session/id.ts'
import { call } from '../session/client.ts'
import { pagePath } from '../session/page-session.ts'
import { local, readJson, visit, writeJson } from '../session/storage.ts'
import * as VISIT_KEYS from '../session/visit-keys.ts'
import { trackPurchase } from '../tracking/tracking.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { finishReturn, type ReturnEnd, type ReturnWorld } from './finish-return.ts'
import type { Trouble } from '../payment/failures.ts'
import { confirmation } from '../payment/pay.ts'
import { providerInTime } from '../payment/provider.ts'
import { TroubleNotice } from '../payment/TroubleNotice.tsx'
import {
  asPlan,
  ERROR_WAIT_MS,
  onProblem,
  readReturn,
  withoutSecrets,
  type ReturnPlan,
  type ReturnProblem,
} from './returns.ts'

type Screen =
  | { state: 'working' }
  | { state: 'pending' }
  /** Another browser than the one that ordered: the payment is safe, the session stays closed (architecture). */
  | { state: 'elsewhere' }
  | { state: 'second'; trouble: Trouble }
  | { state: 'error'; words: string }

const asHere = (value: unknown): ReturnPlan | undefined => asPlan(value, location.pathname)

const world = (show: (screen: Screen) => void): ReturnWorld => ({
  call,
  wait: sleep,
  onPending: () => show({ state: 'pending' }),
  onClaimed: takeOver,
  retrieve: async ({ kind, clientSecret }) => {
    const stripe = await providerInTime()
    if (!stripe) return 'no_provider'
    const { setupIntent, paymentIntent } = await confirmation(() =>
      kind === 'setup' ? stripe.retrieveSetupIntent(clientSecret) : stripe.retrievePaymentIntent(clientSecret),
    )
    return setupIntent ?? paymentIntent ?? null
  },
})

/**
 * P-07: the standard, special-offer, trial and setup returns. Runs once, however often it mounts. A reload finds the
 * plan in the tab's storage and ends the same way, because settling is idempotent.
 */
export function PaypalReturn() {
  const [screen, setScreen] = useState<Screen>({ state: 'working' })
  const ran = useRef(false)
  const start = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    if (ran.current) return
    ran.current = true
    const reading = readReturn(location.pathname, location.search, storedSessionId(local))
    // a reload finds the plan in the tab's storage, because the secrets were removed from the address
    const plan = 'plan' in reading ? reading.plan : readJson(visit, VISIT_KEYS.returnHandled, asHere)
    if (plan) writeJson(visit, VISIT_KEYS.returnHandled, { ...plan, pathname: location.pathname })
    history.replaceState(null, '', withoutSecrets(location.pathname, location.search))
    if (plan) {
      void finishReturn(world(setScreen), plan).then(
        (end) => arrive(plan, end),
        (thrown: unknown) => {
          reportError(thrown)
          fail(plan.kind, 'unexpected')
        },
      )
    } else if ('problem' in reading) fail(reading.kind, reading.problem)

    async function arrive({ kind }: ReturnPlan, end: ReturnEnd): Promise<void> {
      if (end.kind === 'elsewhere') return setScreen({ state: 'elsewhere' })
      if (end.kind === 'second') return setScreen({ state: 'second', trouble: end.trouble })
      if (end.kind === 'problem') return fail(kind, end.problem, end.status)
      visit.remove(VISIT_KEYS.returnHandled)
      if (end.productId) await trackPurchase(end.sessionId, end.productId, kind === 'setup')
      // section 4: the upsell mode of the standard return ends on the thank-you page
      const upsell = new URLSearchParams(location.search).get('mode') === 'upsell'
      location.replace(upsell ? `/thank-you/${end.sessionId}` : pagePath(end.nextPage, end.sessionId))
    }

    function fail(kind: ReturnPlan['kind'], problem: ReturnProblem, status?: string): void {
      visit.remove(VISIT_KEYS.returnHandled)
      const next = onProblem(kind, problem)
      if ('go' in next) {
        location.replace(next.go)
        return
      }
      setScreen({ state: 'error', words: paymentMessage(next.say, status ? { status } : {}) })
      start.current = setTimeout(() => location.replace('/'), ERROR_WAIT_MS)
    }
  }, [])

  if (screen.state === 'error') {
    return (
      <div className="step">
        <h1>Your payment was not completed</h1>
        <Notice tone="danger" title={screen.words} live="assertive">
          <p>You are taken to the start in a moment. Your answers are safe.</p>
        </Notice>
        <ButtonLink look="quiet" href="/checkout" onClick={() => clearTimeout(start.current)}>
          Back to the checkout
        </ButtonLink>
      </div>
    )
  }
  if (screen.state === 'second') {
    return (
      <div className="step">
        <h1>You have a subscription already</h1>
        <TroubleNotice trouble={screen.trouble} />
      </div>
    )
  }
  if (screen.state === 'elsewhere') {
    return (
      <div className="step">
        <Notice tone="good" title="Payment received. Thank you!" live="polite">
          <p>You began in another browser. Please see your mail: we sent you a link that opens your order.</p>
        </Notice>
        <ButtonLink look="quiet" href="/app/">
          Sign in
        </ButtonLink>
      </div>
    )
  }
  return (
    <div className="step centered">
      <h1>{screen.state === 'pending' ? paymentMessage('payment_processing') : 'Checking your payment'}</h1>
      <p>
        <Spinner label={screen.state === 'pending' ? 'Waiting for your bank' : 'Checking your payment'} />
      </p>
      <p className="quiet">
        {screen.state === 'pending'
          ? 'You can wait here, or close this page: we will send you an email. Please do not pay again.'
          : 'Please keep this page open. It takes a few seconds.'}
      </p>
    </div>
  )
}
