import type { Stripe } from '@stripe/stripe-js'
import { useRef, useState } from 'react'
import type { CardSaved } from '../../contract/members.ts'
import {
  NEXT_STEPS,
  trouble,
  troubleOfProvider,
  troubleOfStatus,
  type Trouble,
  unexpected,
} from '../payment/failures.ts'
import { confirmation } from '../payment/pay.ts'
import type { Outcome } from '../session/http.ts'
import { afterFailedCard, NOT_CHARGED } from './card-trouble.ts'
import { wordsOf } from './client.ts'

/** What went wrong, and what became of the money. */
export interface Failed {
  words: string
  after: string
}
export const uncharged = (words: string): Failed => ({ words, after: NOT_CHARGED })
const failedBy = ({ words, money }: Trouble): Failed => ({ words, after: NEXT_STEPS[money] })

/** The press of a button that pays: one at a time, and nothing that it throws is lost (D-08). */
export function usePress(work: () => Promise<Failed | null>) {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<Failed | null>(null)
  const running = useRef(false)
  async function press(): Promise<void> {
    if (running.current) return
    running.current = true
    setBusy(true)
    setFailed(null)
    setFailed(await work().catch((thrown: unknown) => failedBy(unexpected(thrown))))
    setBusy(false)
    running.current = false
  }
  return { busy, failed, press }
}

export const PART: Failed = {
  words: 'A part of it is paid, the rest is not.',
  after: 'Please pay the rest, or enter a new card.',
}
export const NOT_READY = 'Payment system is not ready. Please wait a moment and try again.'

/**
 * Has the service charge what is owed. Where the buyer's bank wants that payment confirmed, its owner does so in the
 * bank's dialog, once Stripe.js is there. `owed`: what the page says is charged, in cents; null: nothing.
 */
export async function charge(
  provider: () => Promise<Stripe | null>,
  send: () => Promise<Outcome<CardSaved>>,
  owed: number | null,
): Promise<CardSaved | Failed> {
  const saved = await send()
  if (!saved.ok) return { words: wordsOf(saved), after: afterFailedCard(saved, owed) }
  const { clientSecret, result } = saved.data
  if (!clientSecret) return saved.data
  // another bill was paid before the bank asked
  const stopped = (failed: Failed) => (result === 'part' ? saved.data : failed)
  const stripe = await provider()
  if (!stripe) return stopped(uncharged(NOT_READY))
  const { error, paymentIntent } = await confirmation(() => stripe.handleNextAction({ clientSecret }))
  if (error) return stopped(failedBy(troubleOfProvider(error)))
  if (paymentIntent?.status !== 'succeeded') return stopped(failedBy(troubleOfStatus(paymentIntent?.status ?? '')))
  const after = await send()
  // the bank has said yes: "you were not charged" is no answer any more
  if (!after.ok || after.data.result === 'owed') return failedBy(trouble('processed_not_finalized'))
  // another amount is left than the page said: it was one bill of several
  return { ...after.data, result: ['paid', 'saved'].includes(after.data.result) ? 'paid' : 'part' }
}
