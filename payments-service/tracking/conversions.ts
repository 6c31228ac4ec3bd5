import { DAY } from '../../contract/time.ts'
import type { OutboxHandler } from '../jobs/outbox.ts'
import { Refused } from '../queue/queue.ts'
import { mayAdvertise } from './consent.ts'
import { conversionEvent, isMatchable } from './conversion-event.ts'
import { findConversionPerson } from './conversions.queries.ts'
import type { ConversionPayload } from '../jobs/conversions.ts'

/** Timeout of an advertiser's answer in milliseconds; no request waits for it. */
const TIMEOUT = 10_000
/** Meta rejects events older than seven days. */
const OLDEST = 7 * DAY

/**
 * T-02: sends one event from the outbox to the Conversions API. Not configured, no consent, a bot or nobody that Meta
 * could recognise: done without sending. A refusal (401 and every other 4xx) is a warning and a dead letter that an
 * operator may revive; no answer, 429 and 5xx are tried again later.
 */
export const sendConversion: OutboxHandler = async (deps, job) => {
  const { config, db, log } = deps
  const payload = job.payload as unknown as ConversionPayload
  if (!config.meta || !job.session_id) return 'not configured'
  if (!(await mayAdvertise(config, db, job.session_id))) return 'no consent'
  const person = await findConversionPerson(db, job.session_id)
  if (!person || person.is_bot) return 'not a person'
  const event = conversionEvent(payload, person, config.siteUrl)
  if (!isMatchable(event)) return 'nobody to match'
  if (Date.now() - Date.parse(payload.at) > OLDEST) throw new Refused('older than seven days')

  const { pixelId, accessToken, testEventCode, apiBase } = config.meta
  const answer = await fetch(`${apiBase}/${encodeURIComponent(pixelId)}/events`, {
    method: 'POST',
    // the token is in a header, because addresses end up in logs
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ data: [event], ...(testEventCode ? { test_event_code: testEventCode } : {}) }),
    signal: AbortSignal.timeout(TIMEOUT),
    redirect: 'error',
  })
  if (answer.ok) {
    await answer.body?.cancel()
    return
  }
  const said = await reasonOf(answer)
  if (answer.status === 429 || answer.status >= 500) throw new Error(`Meta answered ${answer.status}: ${said}`)
  log.warn({ status: answer.status, event: payload.name }, 'a conversion event was refused')
  throw new Refused(`Meta answered ${answer.status}: ${said}`)
}

async function reasonOf(answer: Response): Promise<string> {
  try {
    const { error } = (await answer.json()) as { error?: { message?: string; code?: number } }
    return `${error?.message ?? 'no reason'} (${error?.code ?? '-'})`.slice(0, 300)
  } catch {
    return 'no readable reason'
  }
}

export const CONVERSION_HANDLERS: Readonly<Record<string, OutboxHandler>> = {
  'conversion:Lead': sendConversion,
  'conversion:InitiateCheckout': sendConversion,
  'conversion:Purchase': sendConversion,
  'conversion:Subscribe': sendConversion,
  'conversion:Contact': sendConversion,
}
