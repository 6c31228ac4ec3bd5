import type { Request } from 'express'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from './errors.ts'

/**
 * Limits per address, per session and over all, counted in this replica's memory: they cost no database write and are
 * loose enough for a family or an office behind one address. Money has a stricter, shared count of its own in checkout/.
 */
export interface Limit {
  /** So many requests … */
  points: number
  /** … in so many seconds. */
  seconds: number
}

export interface LimitRule {
  name: string
  perAddress?: Limit
  perSession?: Limit
  global?: Limit
}

export const LIMITS = {
  session: {
    name: 'session',
    perAddress: { points: 60, seconds: 60 },
    global: { points: 6_000, seconds: 60 },
  },
  /** Reading and saving what a visitor typed. */
  visit: {
    name: 'visit',
    perSession: { points: 240, seconds: 60 },
    perAddress: { points: 1_200, seconds: 60 },
  },
  payment: {
    name: 'payment',
    perSession: { points: 120, seconds: 600 },
    perAddress: { points: 240, seconds: 600 },
    global: { points: 6_000, seconds: 60 },
  },
  account: {
    name: 'account',
    perSession: { points: 20, seconds: 600 },
    perAddress: { points: 60, seconds: 600 },
    global: { points: 600, seconds: 60 },
  },
  open: { name: 'open', perAddress: { points: 1_200, seconds: 60 } },
} as const satisfies Record<string, LimitRule>

export type LimitName = keyof typeof LIMITS

export interface Limiter {
  /** Counts one request. Throws too_many_requests with the seconds to wait. */
  consume(name: LimitName, req: Request, session?: string): Promise<void>
}

/** `factor` loosens every limit (embedded mode: journeys share one address). */
export function createLimiter(factor = 1): Limiter {
  const counters = new Map<string, RateLimiterMemory>()
  const counter = (key: string, limit: Limit): RateLimiterMemory => {
    let found = counters.get(key)
    if (!found) {
      found = new RateLimiterMemory({ keyPrefix: key, points: limit.points * factor, duration: limit.seconds })
      counters.set(key, found)
    }
    return found
  }

  return {
    async consume(name, req, session) {
      const rule: LimitRule = LIMITS[name]
      try {
        // an unknown id counts for its address only, so that nobody fills the memory with made-up ids
        if (rule.perAddress) await counter(`${name}:address`, rule.perAddress).consume(req.ip ?? 'unknown')
        if (rule.perSession && session) await counter(`${name}:session`, rule.perSession).consume(session)
        if (rule.global) await counter(`${name}:global`, rule.global).consume('all')
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        throw new AppError('too_many_requests', { retryAfter: Math.max(1, Math.ceil(refused.msBeforeNext / 1000)) })
      }
    },
  }
}
