// One place where the sandbox meets the SDK: its types only, never its code.
export type { default as Stripe } from 'stripe'
