import { isRecorded, type Tracing } from '../tracing/tracing.ts'
import { type Around, requestIdOf } from './calls.ts'

const CLIENT = 2
const REQUEST_ID = 'stripe.request_id'

/** A span for every call of Stripe that a request or job waits for, with the id by which the dashboard finds it. */
export const tracingCalls =
  (tracing: Tracing): Around =>
  (name, call) => {
    if (!isRecorded()) return call()
    return tracing.around(`stripe ${name}`, { kind: CLIENT }, async (span) => {
      try {
        const answer = await call()
        const id = requestIdOf(answer)
        if (id) span.setAttribute(REQUEST_ID, id)
        return answer
      } catch (error) {
        const id = requestIdOf(error)
        if (id) span.setAttribute(REQUEST_ID, id)
        throw error
      }
    })
  }
