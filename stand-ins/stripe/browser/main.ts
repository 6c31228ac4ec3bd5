// Stands in for Stripe.js: defines window.Stripe, so that loadStripe() of @stripe/stripe-js finds it and loads nothing.
import { StandInStripe } from './stripe.ts'

const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : ''
const base = script === '' ? `${window.location.origin}/_stripe` : new URL('.', script).href.replace(/\/$/, '')

/** `Stripe(publishableKey)`, with or without `new`. */
function Stripe(key: string): StandInStripe {
  if (typeof key !== 'string' || !key.startsWith('pk_')) {
    throw new Error(
      'Please call Stripe() with your publishable key. You used an empty string or a key of another kind.',
    )
  }
  return new StandInStripe(key, base)
}
Stripe.version = 'endive'

Object.defineProperty(window, 'Stripe', { value: Stripe, configurable: true, writable: true })
