import type { Request } from 'express'
import type { Pool } from 'pg'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from './errors.ts'
import { networksOf, WIDTHS } from './networks.ts'

/**
 * Limits per network and per caller, loose enough for an office or a mobile network behind one address. There is no
 * global limit: it would let one stranger lock everybody out. Visits are counted in this replica's memory and cost no
 * database write. What concerns money and accounts, and guesses at sign-ins, codes and links, is counted in PostgreSQL
 * for all replicas together, or in memory while the database is away.
 */
export interface Limit {
  /** This many requests … */
  points: number
  /** … in this many seconds. */
  seconds: number
}

export interface LimitRule {
  name: string
  /** Counted for all replicas together. */
  shared?: boolean
  /** Of an IPv4 address or a /64; wider IPv6 networks have more (WIDTHS). */
  perAddress: Limit
  /** Per caller, wherever its requests come from. */
  perCaller?: Limit
}

const TEN_MINUTES = 600

export const LIMITS = {
  session: { name: 'session', perAddress: { points: 240, seconds: 60 } },
  /** Reading and saving what a visitor typed. */
  visit: { name: 'visit', perCaller: { points: 240, seconds: 60 }, perAddress: { points: 1_200, seconds: 60 } },
  /** Beacons. */
  track: { name: 'track', perAddress: { points: 3_000, seconds: 60 } },
  /** Sending a mail, or opening a session by a code. */
  link: {
    name: 'link',
    shared: true,
    perCaller: { points: 10, seconds: TEN_MINUTES },
    perAddress: { points: 60, seconds: TEN_MINUTES },
  },
  /** Using a link in a mail, above all to cancel. */
  mailLink: {
    name: 'mailLink',
    shared: true,
    perCaller: { points: 60, seconds: TEN_MINUTES },
    perAddress: { points: 60, seconds: TEN_MINUTES },
  },
  operator: { name: 'operator', shared: true, perAddress: { points: 10, seconds: TEN_MINUTES } },
  /** Codes of the second factor; the account itself counts those of one account. */
  operatorCode: { name: 'operatorCode', shared: true, perAddress: { points: 20, seconds: TEN_MINUTES } },
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
    shared: true,
    perCaller: { points: 10, seconds: TEN_MINUTES },
    perAddress: { points: 40, seconds: TEN_MINUTES },
  },
  /** Mails that a stranger may request, each kind with separate counters. */
  forgot: {
    name: 'forgot',
    shared: true,
    perCaller: { points: 10, seconds: TEN_MINUTES },
    perAddress: { points: 40, seconds: TEN_MINUTES },
  },
  magic: {
    name: 'magic',
    shared: true,
    perCaller: { points: 10, seconds: TEN_MINUTES },
    perAddress: { points: 40, seconds: TEN_MINUTES },
  },
  /** Leaving without a sign-in: a caller is an address typed in from one network. */
  exit: {
    name: 'exit',
    shared: true,
    perCaller: { points: 10, seconds: TEN_MINUTES },
    perAddress: { points: 60, seconds: TEN_MINUTES },
  },
  /** The tokens of those mails. */
  mailed: { name: 'mailed', shared: true, perAddress: { points: 40, seconds: TEN_MINUTES } },
  /** Pages of a member: the programme, the subscription. */
  member: { name: 'member', perCaller: { points: 600, seconds: 60 }, perAddress: { points: 900, seconds: 60 } },
  /** Asked of the content lake when it is new. */
  editor: { name: 'editor', perAddress: { points: 120, seconds: 60 } },
  open: { name: 'open', perAddress: { points: 1_200, seconds: 60 } },
} as const satisfies Record<string, LimitRule>

export type LimitName = keyof typeof LIMITS

/** An identity that a request proves: by a visit's token, a link that we signed, or an account's cookie. */
export interface Caller {
  /** The key to count under, made of something that a stranger does not have. */
  key: string
  /** Whether the key is genuine. Only asked where it matters. */
  known: () => boolean | Promise<boolean>
}

export interface Limiter {
  /**
   * Counts one request. Throws too_many_requests with the seconds to wait. A known caller is not refused because of
   * others at the same address until known callers there have made ten times the requests allowed to all.
   */
  consume(name: LimitName, req: Request, caller?: Caller): Promise<void>
}

/** How much more an address may do through known callers. */
const KNOWN_SHARE = 10

interface Counters {
  networks: RateLimiterAbstract[]
  crowd: RateLimiterAbstract
  caller?: RateLimiterAbstract
}

/** Without names of prepared statements: through a pooler, another connection knows one of that name already. */
const unnamed = (pool: Pool): Pick<Pool, 'query'> => ({
  query: (({ text, values }: { text: string; values: unknown[] }) => pool.query(text, values)) as Pool['query'],
})

/** `factor` loosens every limit (embedded mode: journeys share one address). */
export function createLimiter(pool: Pool, factor = 1): Limiter {
  const counter = (keyPrefix: string, limit: Limit, share: number, shared: boolean): RateLimiterAbstract => {
    const options = { keyPrefix, points: limit.points * factor * share, duration: limit.seconds }
    const memory = new RateLimiterMemory(options)
    if (!shared) return memory
    return new RateLimiterPostgres({
      ...options,
      storeClient: unnamed(pool),
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      // refuses callers over the limit here, without asking the database
      inMemoryBlockOnConsumed: options.points + 1,
      insuranceLimiter: memory,
    })
  }
  const all = Object.entries(LIMITS).map(([name, rule]: [string, LimitRule]): [string, Counters] => {
    const { perAddress, perCaller, shared = false } = rule
    return [
      name,
      {
        // wider networks only stop callers that move between narrow ones: every replica sees enough of those
        networks: WIDTHS.map(({ bits, share }, at) =>
          counter(`${name}:${bits}`, perAddress, share, shared && at === 0),
        ),
        crowd: counter(`${name}:crowd`, perAddress, KNOWN_SHARE, false),
        ...(perCaller && { caller: counter(`${name}:caller`, perCaller, 1, shared) }),
      },
    ]
  })
  const counters = Object.fromEntries(all) as Record<LimitName, Counters>

  /**
   * From narrow to wide: a refused request does not count for wider networks, where it would use up the share of
   * others.
   */
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
