// Faults on demand: the next N calls, or the calls to a path, go wrong in a chosen way.

export const FAULT_MODES = [
  '500',
  '400',
  '409',
  '429',
  'hang',
  'stall',
  'drop',
  'drop_before',
  'execute_then_500',
  'slow',
] as const
/**
 * `500`: not executed, and an idempotency key keeps the 500. `execute_then_500`: executed, the reply (and its replay)
 * is a 500. `400`: rejected as an invalid request. `409`: key in use. `429`: too many requests. `hang`: executed at
 * once, the reply held for `ms`. `stall`: held for `ms`, then executed. `drop`: executed, the connection cut.
 * `drop_before`: cut, not executed. `slow`: the reply comes `ms` later.
 */
export type FaultMode = (typeof FAULT_MODES)[number]

export interface FaultRule {
  id: number
  mode: FaultMode
  /** Calls still to hit; the rule ends at 0. */
  times: number
  /** Matching calls to let pass first. */
  after: number
  method: string | null
  // Start of the path, in whole segments; `*` matches one segment: `/v1/payment_intents/*/confirm`.
  path: string | null
  from: 'server' | 'browser' | 'any'
  /** Only calls whose path, query, body or object names one of these ids; null for all. */
  about: readonly string[] | null
  ms: number
}

export class Faults {
  readonly rules: FaultRule[] = []
  private next = 1

  add(rule: Partial<FaultRule> & { mode: FaultMode }): FaultRule {
    const full: FaultRule = {
      times: 1,
      after: 0,
      method: null,
      path: null,
      from: 'any',
      about: null,
      ms: 30_000,
      ...rule,
      id: this.next++,
    }
    this.rules.push(full)
    return full
  }

  clear(): void {
    this.rules.length = 0
  }

  /** The fault that hits a call, counted down. `text`: its query or body as sent, and whom its object belongs to. */
  take(method: string, path: string, browser: boolean, text = ''): FaultRule | undefined {
    for (const rule of this.rules) {
      if (rule.method !== null && rule.method !== method) continue
      if (rule.path !== null && !matches(rule.path, path)) continue
      if (rule.from !== 'any' && (rule.from === 'browser') !== browser) continue
      if (rule.about !== null && !rule.about.some((id) => path.includes(id) || text.includes(id))) continue
      if (rule.after > 0) {
        rule.after -= 1
        continue
      }
      rule.times -= 1
      if (rule.times <= 0) this.rules.splice(this.rules.indexOf(rule), 1)
      return { ...rule }
    }
    return undefined
  }
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return wanted.length <= given.length && wanted.every((step, index) => step === '*' || step === given[index])
}
