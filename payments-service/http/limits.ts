import type { Request } from 'express'
import type { Pool } from 'pg'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from './errors.ts'
import { networksOf, WIDTHS } from './networks.ts'

/**
 * Limits per network and per caller, loose enough for an office or a mobile network behind one address. Nothing is
 * counted over all: it would let one stranger refuse everybody. Visits are counted in this replica's memory and
 * cost no database write. What touches money and accounts is counted in PostgreSQL for all replicas together, in
 * memory while the database is away.
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
  /** Of an IPv4 address or a /64; wider IPv6 networks have more (WIDTHS). */
  perAddress: Limit
  /** Of a caller, wherever the requests come from. */
  perCaller?: Limit
}

const TEN_MINUTES = 600

export const LIMITS = {
  session: { name: 'session', perAddress: { points: 240, seconds: 60 } },
  /** Reading and saving what a visitor typed. */
  visit: { name: 'visit', perCaller: { points: 240, seconds: 60 }, perAddress: { points: 1_200, seconds: 60 } },
  /** Beacons. */
  track: { name: 'track', perAddress: { points: 3_000, seconds: 60 } },
  /** What sends a mail or opens a session by a code. */
  link: {
    name: 'link',
    perCaller: { points: 10, seconds: TEN_MINUTES },
    perAddress: { points: 60, seconds: TEN_MINUTES },
  },
  /** What a link in a mail does: leaving, first of all. */
  mailLink: {
    name: 'mailLink',
    perCaller: { points: 60, seconds: TEN_MINUTES },
    perAddress: { points: 60, seconds: TEN_MINUTES },
  },
  operator: { name: 'operator', perAddress: { points: 10, seconds: TEN_MINUTES } },
  /** Codes of the second factor; those of one account are counted by the account itself. */
  operatorCode: { name: 'operatorCode', perAddress: { points: 20, seconds: TEN_MINUTES } },
  payment: {
    name: 'payment',
    shared: true,
    perCaller: { points: 120, seconds: TEN_MINUTES },
    perAddress: { points: 240, seconds: TEN_MINUTES },
  },
  account: {
    name: 'account',
    shared: true,
    perCaller: { points: 20, seconds: TEN_MINUTES },
    perAddress: { points: 60, seconds: TEN_MINUTES },
  },
  /** Guessing passwords: a caller is an account guessed at from one network, or a browser that signed in before. */
  signIn: {
    name: 'signIn',
    perCaller: { points: 10, seconds: TEN_MINUTES },
    perAddress: { points: 40, seconds: TEN_MINUTES },
  },
  /** Mails that somebody else asked for, each kind with counters of its own. */
  forgot: {
    name: 'forgot',
    perCaller: { points: 10, seconds: TEN_MINUTES },
    perAddress: { points: 40, seconds: TEN_MINUTES },
  },
  magic: {
    name: 'magic',
    perCaller: { points: 10, seconds: TEN_MINUTES },
    perAddress: { points: 40, seconds: TEN_MINUTES },
  },
  /** The tokens of those mails. */
  mailed: { name: 'mailed', perAddress: { points: 40, seconds: TEN_MINUTES } },
  /** Pages of a member: the programme, the subscription. */
  member: { name: 'member', perCaller: { points: 600, seconds: 60 }, perAddress: { points: 900, seconds: 60 } },
  open: { name: 'open', perAddress: { points: 1_200, seconds: 60 } },
} as const satisfies Record<string, LimitRule>

export type LimitName = keyof typeof LIMITS

/** Who a request shows to be: by the token of a visit, a link that we signed, an account's cookie. */
export interface Caller {
  /** What is counted: made of something that a stranger does not have. */
  key: string
  /** Whether that is genuine. Asked only where it decides. */
  known: () => boolean | Promise<boolean>
}

export interface Limiter {
  /**
   * Counts one request. Throws too_many_requests with the seconds to wait. A known caller is not refused because of
   * others at the same address until there are ten times as many known ones as of all.
   */
  consume(name: LimitName, req: Request, caller?: Caller): Promise<void>
}

/** How much more an address may do through callers who are known. */
const KNOWN_SHARE = 10

interface Counters {
  networks: RateLimiterAbstract[]
  crowd: RateLimiterAbstract
  caller?: RateLimiterAbstract
}

/** `factor` loosens every limit (embedded mode: journeys share one address). */
export function createLimiter(pool: Pool, factor = 1): Limiter {
  const counter = (
    keyPrefix: string,
    limit: Limit,
    share: number,
    shared: boolean | undefined,
  ): RateLimiterAbstract => {
    const options = { keyPrefix, points: limit.points * factor * share, duration: limit.seconds }
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
  const all = Object.entries(LIMITS).map(([name, rule]: [string, LimitRule]): [string, Counters] => {
    const { perAddress, perCaller, shared } = rule
    return [
      name,
      {
        // the wider ones only stop what moves between narrow ones: every replica sees enough of that
        networks: WIDTHS.map(({ bits, share }, at) =>
          counter(`${name}:${bits}`, perAddress, share, shared && at === 0),
        ),
        crowd: counter(`${name}:crowd`, perAddress, KNOWN_SHARE, false),
        ...(perCaller && { caller: counter(`${name}:caller`, perCaller, 1, shared) }),
      },
    ]
  })
  const counters = Object.fromEntries(all) as Record<LimitName, Counters>

  /** From narrow to wide: whoever is refused counts for nothing wider, where it would be used up for others. */
  async function countNetworks(limiters: readonly RateLimiterAbstract[], networks: readonly string[]): Promise<void> {
    for (const [at, network] of networks.entries()) await limiters[at]?.consume(network)
  }

  return {
    async consume(name, req, caller) {
      const { networks, crowd, caller: own } = counters[name]
      const from = networksOf(req.ip)
      try {
        try {
          await countNetworks(networks, from)
        } catch (refused) {
          if (!(refused instanceof RateLimiterRes) || !caller || !(await caller.known())) throw refused
          await own?.consume(caller.key)
          return void (await crowd.consume(from[0] ?? ''))
        }
        if (caller) await own?.consume(caller.key)
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        throw new AppError('too_many_requests', { retryAfter: Math.max(1, Math.ceil(refused.msBeforeNext / 1000)) })
      }
    },
  }
}
