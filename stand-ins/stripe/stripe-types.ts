// The only place where the sandbox uses the SDK: its types, never its code.
export type { default as Stripe } from 'stripe'
