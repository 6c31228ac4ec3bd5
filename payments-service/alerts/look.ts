/**
 * The service looks at itself once a minute and reports what begins and what ends, once each: an installation without
 * Prometheus hears of the same conditions. One replica looks for all of them.
 */
import { randomUUID } from 'node:crypto'
import type { Database } from '../../db/connect.ts'
import type { Config } from '../config.ts'
import type { Log } from '../http/logging.ts'
import type { Metrics, Sample } from '../metrics/metrics.ts'
import {
  forgetAlert,
  forgetSigns,
  noteHolding,
  noteSigns,
  noteTold,
  readStanding,
  signsOfOthers,
  type Standing,
  takeTurn,
} from './alerts.queries.ts'
import { createAwayWatch } from './away.ts'
import { type Channel, channelsOf } from './channels.ts'
import { holdingNow, ruleOf, RULES } from './rules.ts'
import { textOf } from './words.ts'

/** Shorter than the pause between two looks of a replica, so that one that ends leaves no minute out. */
const TURN = 55

const LOCAL = new Set<string>(RULES.flatMap(({ local, metric }) => (local ? [metric] : [])))

export interface Watch {
  config: Config
  /** The connection of the metrics: free when buyers hold all others. */
  db: Database
  metrics: Pick<Metrics, 'samples' | 'unread'>
  log: Log
  /** Seconds in which one replica looks. */
  turn?: number
}

export interface Alerts {
  look(): Promise<void>
  /** This replica stops. */
  leave(): Promise<void>
}

export function createAlerts({ config, db, metrics, log, turn = TURN }: Watch): Alerts {
  const replica = randomUUID()
  const channels = channelsOf(config, log)
  const away = createAwayWatch(config, channels, (error, channel) => complain(log, error, channel))

  async function look(): Promise<void> {
    const own = await metrics.samples()
    const signs = own.filter(({ name }) => LOCAL.has(name))
    if (await away.look(own, () => noteSigns(db, replica, signs))) return
    if (!(await takeTurn(db, turn))) return
    const samples = [...own, ...(await signsOfOthers(db, replica))]
    const holding = holdingNow(samples)
    const unread = RULES.filter(({ metric }) => metrics.unread().has(metric)).map(({ name }) => name)
    await noteHolding(db, [...holding.keys()], unread)
    const silent = new Set<Channel>()
    for (const standing of await readStanding(db)) {
      const about = ruleOf(standing.rule)
      // a rule of another release
      if (about) await tell(about, standing, holding.get(standing.rule) ?? [], silent)
      else await forgetAlert(db, standing.rule)
    }
  }

  /** `silent`: channels that failed in this look; none is waited for twice. */
  async function tell(
    { rule, part }: NonNullable<ReturnType<typeof ruleOf>>,
    { rule: alert, lasts, over, told, told_over, since }: Standing,
    found: readonly Sample[],
    silent: Set<Channel>,
  ) {
    if (!over && lasts < rule.lasting) return
    let everybody = true
    for (const channel of channels) {
      const knows = (over ? told_over : told).includes(channel.name)
      // the end of what was never reported is not reported either
      if (knows || (over && !told.includes(channel.name))) continue
      // over for the moment: neither begun nor ended
      if (!over && found.length === 0) continue
      if (silent.has(channel)) {
        everybody = false
        continue
      }
      try {
        await channel.tell({ rule, over, text: textOf(config, rule, over, since, found, part) })
        await noteTold(db, alert, channel.name, over)
      } catch (error) {
        everybody = false
        silent.add(channel)
        complain(log, error, channel)
      }
    }
    if (over && everybody) await forgetAlert(db, alert)
  }

  return { look, leave: () => forgetSigns(db, replica) }
}

function complain(log: Log, error: unknown, channel?: Channel): void {
  if (channel)
    log.error({ err: error, channel: channel.name }, 'an alert could not be told; it is tried again in a minute')
  else log.error({ err: error }, 'the database takes no writes')
}
