import type { Config } from '../config.ts'
import type { Sample } from '../metrics/metrics.ts'
import type { Rule } from './rules.ts'

/** Parts that are named; the rest is counted. */
const NAMED = 3

const short = (value: number): string => String(Math.round(value * 100) / 100)

/**
 * What is reported: no visitor's data, one line. `part`: which one, of a rule that reports each. `found`: what holds.
 */
export function textOf(
  { siteUrl }: Pick<Config, 'siteUrl'>,
  { name, summary, severity, by, above, below, runbook }: Rule,
  over: boolean,
  since: Date,
  found: readonly Sample[],
  part?: string,
): string {
  const what = `${name}${part ? ` of ${part}` : ''} at ${new URL(siteUrl).host}`
  const began = `${since.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  if (over) return `Over: ${what}. ${summary}. It began ${began}.`
  const parts = found.slice(0, NAMED).map(({ labels, value }) => `${by ? `${labels[by]} ` : ''}${short(value)}`)
  const rest = found.length > NAMED ? ` and ${found.length - NAMED} more` : ''
  const limit = above === undefined ? `below ${below}` : `above ${above}`
  return (
    `${severity === 'critical' ? 'ALERT' : 'Alert'}: ${what}. ${summary}. ` +
    `Measured: ${parts.join(', ')}${rest} (alert ${limit}), since ${began}. What to do: ${runbook}`
  )
}
