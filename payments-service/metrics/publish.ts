import { Gauge, type Registry } from 'prom-client'
import { IS_CONTENT } from '../../contract/published.ts'
import type { Lake } from '../content/lake.ts'
import type { Log } from '../http/logging.ts'

/** Milliseconds for which an answer of the content lake is kept. */
const KEPT = 60_000

/**
 * The site's last good build, as the publisher notes it, and the first document that was published after it, by the
 * time: Sanity's stamps are in whole seconds. A site that a host builds has no such note.
 */
const QUERY = `*[_id == "site.status"][0]{
  goodAt,
  "waiting": *[${IS_CONTENT} && dateTime(_updatedAt) > dateTime(^.goodAt)] | order(_updatedAt)[0]._updatedAt
}`

const WAITING = 'funnel_publish_waiting_seconds'

interface Status {
  goodAt?: string
  waiting?: string | null
}

/**
 * Watches what editors have published and visitors do not see. Returns what reads it anew where that is due, and notes
 * in `unread` that the lake did not answer.
 */
export function watchPublish(
  registry: Registry,
  lake: Lake | null,
  unread: Set<string>,
  log: Pick<Log, 'warn'>,
): () => Promise<void> {
  const gauge = (name: string, help: string) => {
    const made = new Gauge({ name, help, registers: [registry] })
    // unknown until the lake has answered
    made.remove()
    return made
  }
  const good = gauge('funnel_publish_last_good_timestamp_seconds', 'When the site last took on what was published')
  const waiting = gauge(WAITING, 'How long something published has not been on the site')
  let read = 0
  return async () => {
    if (!lake || Date.now() - read < KEPT) return
    read = Date.now()
    const found = (await lake.fetch(QUERY).catch((error: unknown) => {
      // the alert about it is blind now; said once
      if (!unread.has(WAITING)) log.warn({ err: error, metric: WAITING }, 'a metric could not be read')
    })) as Status | null | undefined
    good.remove()
    waiting.remove()
    if (found === undefined) unread.add(WAITING)
    else unread.delete(WAITING)
    if (!found?.goodAt) return
    good.set(Date.parse(found.goodAt) / 1000)
    waiting.set(found.waiting ? Math.max(0, (Date.now() - Date.parse(found.waiting)) / 1000) : 0)
  }
}
