/**
 * Publish → page (K-04, K-05): whenever published content changes, the publish check runs over the whole dataset, and
 * the site is built and replaced in one step. If the content fails, the old site stays; the Studio tells editors where.
 */
import type { SanityClient } from '@sanity/client'
import { messageOf } from '../../db/command.ts'
import { IS_CONTENT } from '../../contract/published.ts'
import { type Document, pathText } from '../../studio/check/finding.ts'
import { checkDataset, CONTENT_QUERY } from '../../studio/check/rules.ts'
import { revisionsOf, type Revisions } from '../content-check.ts'
import { LakeAway } from '../builds/lake-away.ts'
import { LeaseLost } from '../builds/lease.ts'
import { type Makers, startMakers } from './makers.ts'
import { problemsOf, SITE_STATUS_ID, SITE_STATUS_TYPE, type SitePin, type SiteStatus } from './site-status.ts'
import { concernsFault, tellBuilding, tellQuietly } from './telling.ts'

export interface PublisherOptions {
  /** Reads everything published, writes the status; needs a token. */
  client: SanityClient
  /**
   * Builds the site from published content and swaps it in; resolves with whether anything was new. Rejects with the
   * builder's output. `makers` tells whose changes it shows; `checked` is what the publish check has found sound.
   */
  build(makers: Makers, checked: Revisions): Promise<boolean>
  log(line: string): void
  /** Where the site is held, asked every second, so that editors see a rollback as well. */
  pin(): SitePin | null
  /** The site is for visitors: sample content and unsourced statements also keep the old site (K-05). */
  launch?: boolean
  /** How long to wait for further changes after one, and at most, in milliseconds. */
  settleMs?: number
  settleAtMostMs?: number
  /** How long after the lake was away, or another publisher came first. */
  retryMs?: number
  /** How long after a build that failed; twice as long each further time, up to ten minutes. */
  rebuildMs?: number
}

export interface Publisher {
  status(): SiteStatus | { state: 'waiting' | 'building' }
  stop(): void
}

const CHANGES = `*[${IS_CONTENT}]`
const REBUILD_AT_MOST_MS = 600_000

interface Attempt {
  done: SiteStatus
  /** Whether anything was new. */
  fresh: boolean
  /** Sound content that could not be built: a full disk or a lake that faltered may be over the next time. */
  failed: boolean
}

/** One attempt and what came of it. Throws when the lake does not answer. */
async function publishOnce(
  { client, build, pin, launch = false }: PublisherOptions,
  since: number,
  makers: Makers,
): Promise<Attempt> {
  const asked = Date.now()
  const documents = await client.withConfig({ perspective: 'published' }).fetch<Document[]>(CONTENT_QUERY)
  const newest =
    documents
      .map((document) => String(document['_updatedAt']))
      .sort()
      .at(-1) ?? ''
  const faults = checkDataset(documents).filter(({ level }) => level === 'error' || (launch && level === 'launch'))
  const end = (state: SiteStatus['state'], problems: SiteStatus['problems']): SiteStatus => ({
    state,
    // by a clock that is slow, what is on the site would seem to wait
    at: new Date(Math.max(asked, Date.parse(newest) || 0)).toISOString(),
    milliseconds: Date.now() - since,
    problems,
    pin: pin(),
    building: null,
  })
  if (faults.length > 0) {
    const problems = faults.map(({ documentId, documentType, path, message }, index) => ({
      _key: `p${index}`,
      documentId,
      documentType,
      path: pathText(path),
      message,
    }))
    return { done: end('broken', problems), fresh: false, failed: false }
  }
  try {
    const fresh = await build(makers, revisionsOf(documents))
    return { done: end('live', []), fresh, failed: false }
  } catch (error) {
    if (error instanceof LeaseLost || error instanceof LakeAway) throw error
    const words = messageOf(error)
    return { done: end('broken', problemsOf(words)), fresh: false, failed: true }
  }
}

/** Watches the published content, and builds the site whenever it has changed. */
export function startPublisher(options: PublisherOptions): Publisher {
  const { client, log, settleMs = 200, settleAtMostMs = 1000, retryMs = 2000, rebuildMs = 30_000 } = options
  const makers = startMakers(client)
  let status: ReturnType<Publisher['status']> = { state: 'waiting' }
  let timer: NodeJS.Timeout | undefined
  let firstChange = 0
  let running = false
  let again = false
  let stopped = false
  // what was published before this program listened counts as missed
  let [missed, atStart] = [true, true]
  const failures = countFailures(rebuildMs)

  function changed(): void {
    const now = Date.now()
    failures.forget()
    if (!firstChange) firstChange = now
    clearTimeout(timer)
    timer = setTimeout(() => void run(), Math.max(0, Math.min(settleMs, firstChange + settleAtMostMs - now)))
  }

  async function run(): Promise<void> {
    if (running) {
      again = true
      return
    }
    running = true
    const since = firstChange || Date.now()
    const told = atStart || !firstChange ? undefined : tellBuilding(client)
    firstChange = 0
    status = { state: 'building' }
    let wait = 0
    try {
      const { done, fresh, failed } = await publishOnce(options, since, makers)
      status = done
      const news = failed ? failures.isNew(done) : !atStart || fresh || (await concernsFault(client, done))
      atStart = false
      await told
      if (news) await report(done)
      else if (told || !failed) await tellQuietly(client, failed ? undefined : done)
      // a change that came meanwhile has a run of its own
      if (failed && !firstChange) {
        again = true
        wait = failures.count(done)
      }
    } catch (error) {
      // the lake is down, or another publisher came first: this says nothing about the content
      log(`Trying again: ${messageOf(error)}`)
      again = true
      wait = retryMs
    }
    running = false
    if (again && !stopped) {
      again = false
      timer = setTimeout(() => void run(), wait)
    }
  }

  async function report(done: SiteStatus): Promise<void> {
    log(done.state === 'live' ? liveLine(done) : lines(done))
    const good = done.state === 'live' ? { goodAt: done.at } : {}
    await client
      .transaction()
      .createIfNotExists({ _id: SITE_STATUS_ID, _type: SITE_STATUS_TYPE })
      // a broken publish leaves standing when the last good one was
      .patch(SITE_STATUS_ID, { set: { ...done, ...good } })
      .commit()
  }

  const pins = watchPin(options)

  const listen = () =>
    client
      .listen(CHANGES, {}, { includeResult: false, visibility: 'query', events: ['mutation', 'welcome', 'reconnect'] })
      .subscribe({
        next(event) {
          if (event.type === 'mutation') makers.heard(event)
          if (event.type === 'reconnect') missed = true
          else if (event.type === 'mutation' || missed) {
            missed = false
            changed()
          }
        },
        error() {
          missed = true
          if (!stopped) setTimeout(() => (subscription = listen()), retryMs)
        },
      })
  let subscription = listen()

  return {
    status: () => status,
    stop() {
      stopped = true
      clearTimeout(timer)
      clearInterval(pins)
      subscription.unsubscribe()
    },
  }
}

/** Builds that failed since the last change: an editor hears of the first alone, and each waits longer. */
function countFailures(firstMs: number) {
  let told: string | undefined
  let next = firstMs
  return {
    isNew: ({ problems }: SiteStatus) => JSON.stringify(problems) !== told,
    /** Returns how long the next try waits. */
    count({ problems }: SiteStatus): number {
      const wait = next
      told = JSON.stringify(problems)
      next = Math.min(2 * wait, REBUILD_AT_MOST_MS)
      return wait
    },
    forget() {
      told = undefined
      next = firstMs
    },
  }
}

/** Brings the pin into the status document whenever it changes: that happens without a publish. */
function watchPin({ client, log, pin }: PublisherOptions): NodeJS.Timeout {
  let told: string | undefined
  return setInterval(() => {
    const now = pin()
    const text = JSON.stringify(now)
    if (text === told) return
    const before = told
    told = text
    tellPin(client, now).then(
      (news) => news && log(now ? `The site is pinned by ${now.by}` : 'The site follows publishes'),
      () => (told = before),
    )
  }, 1_000)
}

/** Resolves with whether the status document said something else. */
async function tellPin(client: SanityClient, pin: SitePin | null): Promise<boolean> {
  const known = await client.getDocument<SiteStatus>(SITE_STATUS_ID)
  if (JSON.stringify(known?.pin ?? null) === JSON.stringify(pin)) return false
  const empty = { state: 'live', at: new Date().toISOString(), milliseconds: 0, problems: [] }
  await client.createIfNotExists({ _id: SITE_STATUS_ID, _type: SITE_STATUS_TYPE, ...empty })
  await client.patch(SITE_STATUS_ID).set({ pin }).commit()
  return true
}

function liveLine({ milliseconds, pin }: SiteStatus): string {
  return pin
    ? `What was published is built (${milliseconds} ms); the site is pinned by ${pin.by}`
    : `The site shows what was published (${milliseconds} ms)`
}

function lines(status: SiteStatus): string {
  const rows = status.problems.map(
    ({ documentType, documentId, path, message }) => `  ${documentType} "${documentId}" ${path}: ${message}`,
  )
  return `The site keeps its last good state:\n${rows.join('\n')}`
}
