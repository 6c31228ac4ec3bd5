import { QUIET } from './alerts.queries.ts'
import type { Config } from '../config.ts'
import type { Sample } from '../metrics/metrics.ts'
import type { Channel } from './channels.ts'
import { breaches, type Rule, RULES } from './rules.ts'
import { textOf } from './words.ts'

const RULE = RULES.find(({ name }) => name === 'DatabaseAway') as Rule

/**
 * Without the database replicas cannot agree on which reports: each reports for itself. `note` writes to it: one that
 * can only be read, or whose disk is full, is away too. Resolves to whether it is away.
 */
export function createAwayWatch(
  config: Config,
  channels: readonly Channel[],
  complain: (error: unknown, channel?: Channel) => void,
): { look(samples: readonly Sample[], note: () => Promise<void>): Promise<boolean> } {
  let since: Date | undefined
  let over: Date | undefined
  const told = new Set<Channel>()
  return {
    async look(samples, note) {
      const found = breaches(RULE, samples)
      if (found.length === 0) {
        await note().catch((error: unknown) => {
          complain(error)
          found.push({ name: RULE.metric, labels: {}, value: 0 })
        })
      }
      const away = found.length > 0
      if (away) [since, over] = [since ?? new Date(), undefined]
      else over ??= new Date()
      const changed = away ? since : over
      const lasting = away ? RULE.lasting : QUIET
      const due = changed && Date.now() - changed.getTime() >= lasting * 1000
      for (const channel of channels) {
        if (!since || !due || away === told.has(channel)) continue
        try {
          await channel.tell({ rule: RULE, over: !away, text: textOf(config, RULE, !away, since, found) })
          if (away) told.add(channel)
          else told.delete(channel)
        } catch (error) {
          complain(error, channel)
        }
      }
      if (!away && told.size === 0) since = undefined
      return away
    },
  }
}
