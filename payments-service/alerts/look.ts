/**
 * The service looks at itself once a minute and tells of what begins and what ends, once each: an installation without
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
import { breaches, type Rule, RULES } from './rules.ts'
import { textOf } from './words.ts'

/** Shorter than the pause between two looks of a replica, so that one that ends leaves no minute out. */
const TURN = 55

const LOCAL = new Set<string>(RULES.flatMap(({ local, metric }) => (local ? [metric] : [])))

export interface Watch {
  config: Config
  /** The connection of the metrics: free when buyers hold all others. */
  db: Database
  metrics: Pick<Metrics, 'samples'>
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
    if (await away.look(own)) return
    await noteSigns(
      db,
      replica,
      own.filter(({ name }) => LOCAL.has(name)),
    )
    if (!(await takeTurn(db, turn))) return
    const samples = [...own, ...(await signsOfOthers(db, replica))]
    const holding = RULES.filter((rule) => breaches(rule, samples).length > 0)
    await noteHolding(
      db,
      holding.map(({ name }) => name),
    )
    for (const standing of await readStanding(db)) {
      const rule = RULES.find(({ name }) => name === standing.rule)
      // a rule of another release
      if (rule) await tell(rule, standing, samples)
      else await forgetAlert(db, standing.rule)
    }
  }

  async function tell(rule: Rule, { lasts, over, told, told_over, since }: Standing, samples: Sample[]) {
    if (!over && lasts < rule.lasting) return
    let everybody = true
    for (const channel of channels) {
      const knows = (over ? told_over : told).includes(channel.name)
      // nobody hears the end of what they never heard of
      if (knows || (over && !told.includes(channel.name))) continue
      // over for the moment: neither begun nor ended
      if (!over && breaches(rule, samples).length === 0) continue
      try {
        await channel.tell({ rule, over, text: textOf(config, rule, over, since, breaches(rule, samples)) })
        await noteTold(db, rule.name, channel.name, over)
      } catch (error) {
        everybody = false
        complain(log, error, channel)
      }
    }
    if (over && everybody) await forgetAlert(db, rule.name)
  }

  return { look, leave: () => forgetSigns(db, replica) }
}

function complain(log: Log, error: unknown, { name }: Channel): void {
  log.error({ err: error, channel: name }, 'an alert could not be told; it is tried again in a minute')
}
