import { describe, expect, test } from 'vitest'
import { onProblem, readReturn, readUpsellReturn, withoutSecrets } from './returns.ts'

const ID = '00000000-0000-4000-8000-000000000001'
const GOOD = '?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2&redirect_status=succeeded'

describe('PayPal returns', () => {
  test('P-07 each address is read with its kind and session', () => {
    expect(readReturn(`/paypal-trial-return/${ID}`, GOOD, null)).toEqual({
      plan: { kind: 'trial', sessionId: ID, intentId: 'pi_1', clientSecret: 'pi_1_secret_2' },
    })
    expect(readReturn(`/special-offer-paypal-return/${ID}`, GOOD, null)).toMatchObject({
      plan: { kind: 'special-offer' },
    })
    expect(readReturn('/checkout-paypal-return', GOOD, ID)).toMatchObject({ plan: { kind: 'standard', sessionId: ID } })
    expect(readReturn('/checkout-paypal-return', '', ID)).toEqual({ problem: 'reference', kind: 'standard' })
    expect(readReturn('/checkout-paypal-return', GOOD, null)).toMatchObject({ plan: { sessionId: null } })
    expect(readReturn('/paypal-trial-return/none', GOOD, null)).toEqual({ problem: 'session', kind: 'trial' })
    expect(
      readReturn(
        `/paypal-setup-return/${ID}`,
        '?setup_intent=seti_1&setup_intent_client_secret=seti_1_secret_1&redirect_status=failed',
        null,
      ),
    ).toEqual({ problem: 'incomplete', kind: 'setup' })
  })

  test('P-06 P-07 PayPal says of a set-up whether it was approved; of a payment Stripe is asked', () => {
    const setup = (status: string) =>
      readReturn(
        `/paypal-setup-return/${ID}`,
        `?setup_intent=seti_1&setup_intent_client_secret=seti_1_secret_1${status}`,
        null,
      )
    expect(setup('&redirect_status=succeeded')).toEqual({
      plan: { kind: 'setup', sessionId: ID, intentId: 'seti_1', clientSecret: 'seti_1_secret_1' },
    })
    for (const status of ['', '&redirect_status=', '&redirect_status=pending']) {
      expect(setup(status)).toEqual({ problem: 'incomplete', kind: 'setup' })
    }
    expect(readReturn(`/paypal-trial-return/${ID}`, GOOD.replace('succeeded', 'failed'), null)).toMatchObject({
      plan: { intentId: 'pi_1' },
    })
  })

  test('P-07 the secret names its intent, and the address may name its session', () => {
    expect(readReturn('/checkout-paypal-return', `?payment_intent_client_secret=pi_7_secret_2`, null)).toMatchObject({
      plan: { intentId: 'pi_7', clientSecret: 'pi_7_secret_2' },
    })
    expect(readReturn('/checkout-paypal-return', `${GOOD}&session_id=${ID}`, 'another')).toMatchObject({
      plan: { sessionId: ID },
    })
    expect(readReturn('/checkout-paypal-return', `${GOOD}&session_id=x`, null)).toMatchObject({
      plan: { sessionId: null },
    })
    expect(readReturn('/checkout-paypal-return', '?payment_intent=pi_1', ID)).toEqual({
      problem: 'reference',
      kind: 'standard',
    })
    expect(readReturn(`/upsell-paypal-return/${ID}`, '', null)).toMatchObject({ kind: 'upsell' })
  })

  test('P-07 P-11 a problem of the standard return leads to / or /payment-error, of others to words', () => {
    expect(onProblem('standard', 'reference')).toEqual({ go: '/' })
    expect(onProblem('standard', 'session')).toEqual({ go: '/' })
    expect(onProblem('standard', 'provider')).toEqual({ go: '/' })
    expect(onProblem('special-offer', 'retrieve')).toEqual({ go: '/payment-error' })
    expect(onProblem('standard', 'failed')).toEqual({ go: '/payment-error' })
    expect(onProblem('setup', 'provider')).toEqual({ say: 'setup_load_failed' })
    expect(onProblem('setup', 'reference')).toEqual({ say: 'setup_information_missing' })
    expect(onProblem('setup', 'failed')).toEqual({ say: 'setup_failed_status' })
    expect(onProblem('setup', 'customer')).toEqual({ say: 'setup_customer_missing' })
    expect(onProblem('setup', 'unexpected')).toEqual({ say: 'setup_unexpected' })
    expect(onProblem('trial', 'unexpected')).toEqual({ say: 'paypal_failed' })
    expect(onProblem('standard', 'customer')).toEqual({ go: '/payment-error' })
    expect(onProblem('standard', 'unexpected')).toEqual({ go: '/payment-error' })
    expect(onProblem('trial', 'failed')).toEqual({ say: 'paypal_failed' })
    expect(onProblem('trial', 'session')).toEqual({ say: 'setup_session_missing' })
  })

  test('P-07 N-02 what proves the payment leaves the address bar', () => {
    expect(withoutSecrets('/checkout-paypal-return', `${GOOD}&mode=upsell&PayerID=x&token=y`)).toBe(
      '/checkout-paypal-return?mode=upsell',
    )
    expect(withoutSecrets('/checkout-paypal-return', GOOD)).toBe('/checkout-paypal-return')
  })

  test('P-07 U-10 the upsell return needs a session, an intent and an add-on', () => {
    expect(readUpsellReturn(`/upsell-paypal-return/${ID}/pi_1/bundle`)).toEqual({
      sessionId: ID,
      paymentIntentId: 'pi_1',
      productId: 'bundle',
    })
    expect(readUpsellReturn(`/upsell-paypal-return/${ID}/pi_1/guide_habits`)?.productId).toBe('guide_habits')
    for (const path of [
      `/x/${ID}`,
      `/x/${ID}/pi_1/trial_1`,
      `/x/${ID}/pi_1`,
      '/x/y/pi_1/bundle',
      `/x/${ID}/seti_1/bundle`,
    ]) {
      expect(readUpsellReturn(path)).toBeUndefined()
    }
  })
})
