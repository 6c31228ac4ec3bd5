import type { Request } from 'express'
import type { Pool } from 'pg'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from './errors.ts'

/**
 * Limits per address, per session and over all, loose enough for an office or a mobile network behind one address.
 * Visits are counted in this replica's memory and cost no database write. What touches money and accounts is counted in
 * PostgreSQL for all replicas together, in memory while the database is away.
 */
export interface Limit {
  /** So many requests … */
  points: number
  /** … in so many seconds. */
  seconds: number
}

export interface LimitRule {
  name: string
  /** Counted for all replicas together. */
  shared?: boolean
  perAddress?: Limit
  perSession?: Limit
  global?: Limit
}

export const LIMITS = {
  session: {
    name: 'session',
    perAddress: { points: 240, seconds: 60 },
    global: { points: 12_000, seconds: 60 },
  },
  /** Reading and saving what a visitor typed. */
  visit: {
    name: 'visit',
    perSession: { points: 240, seconds: 60 },
    perAddress: { points: 1_200, seconds: 60 },
  },
  /** Beacons. */
  track: { name: 'track', perAddress: { points: 3_000, seconds: 60 } },
  /** What sends a mail or opens a session by a code. */
  link: { name: 'link', perSession: { points: 10, seconds: 600 }, perAddress: { points: 60, seconds: 600 } },
  operator: { name: 'operator', perAddress: { points: 10, seconds: 600 }, global: { points: 100, seconds: 600 } },
  payment: {
    name: 'payment',
    shared: true,
    perSession: { points: 120, seconds: 600 },
    perAddress: { points: 240, seconds: 600 },
    global: { points: 6_000, seconds: 60 },
  },
  account: {
    name: 'account',
    shared: true,
    perSession: { points: 20, seconds: 600 },
    perAddress: { points: 60, seconds: 600 },
    global: { points: 600, seconds: 60 },
  },
  /** Guessing passwords and codes, and mails that somebody else asked for: per address of the net and per e-mail address. */
  signIn: {
    name: 'signIn',
    perSession: { points: 10, seconds: 600 },
    perAddress: { points: 40, seconds: 600 },
    global: { points: 3_000, seconds: 60 },
  },
  /** Pages of a member: the programme, the subscription. */
  member: { name: 'member', perAddress: { points: 900, seconds: 60 } },
  open: { name: 'open', perAddress: { points: 1_200, seconds: 60 } },
} as const satisfies Record<string, LimitRule>

export type LimitName = keyof typeof LIMITS

export interface Limiter {
  /** Counts one request. Throws too_many_requests with the seconds to wait. */
  consume(name: LimitName, req: Request, session?: string): Promise<void>
}

interface Counters {
  address?: RateLimiterAbstract
  session?: RateLimiterAbstract
  global?: RateLimiterAbstract
}

/** `factor` loosens every limit (embedded mode: journeys share one address). */
export function createLimiter(pool: Pool, factor = 1): Limiter {
  const counter = (keyPrefix: string, limit: Limit, shared: boolean | undefined): RateLimiterAbstract => {
    const options = { keyPrefix, points: limit.points * factor, duration: limit.seconds }
    const memory = new RateLimiterMemory(options)
    if (!shared) return memory
    return new RateLimiterPostgres({
      ...options,
      storeClient: pool,
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      // whoever is over the limit is refused here, without a word to the database
      inMemoryBlockOnConsumed: options.points + 1,
      insuranceLimiter: memory,
    })
  }
  const all = Object.entries(LIMITS).map(([name, rule]: [string, LimitRule]): [string, Counters] => [
    name,
    {
      ...(rule.perAddress && { address: counter(`${name}:address`, rule.perAddress, rule.shared) }),
      ...(rule.perSession && { session: counter(`${name}:session`, rule.perSession, rule.shared) }),
      ...(rule.global && { global: counter(`${name}:global`, rule.global, rule.shared) }),
    },
  ])
  const counters = Object.fromEntries(all) as Record<LimitName, Counters>

  return {
    async consume(name, req, session) {
      const { address, session: visit, global } = counters[name]
      try {
        // an unknown id counts for its address only, so that nobody fills the memory with made-up ids
        if (address) await address.consume(req.ip ?? 'unknown')
        // an address that is refused counts for nothing else: it must not use up what all share
        const rest = visit && session ? visit.consume(session) : undefined
        if (global) await Promise.all([rest, global.consume('all')])
        else if (rest) await rest
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        throw new AppError('too_many_requests', { retryAfter: Math.max(1, Math.ceil(refused.msBeforeNext / 1000)) })
      }
    },
  }
}
