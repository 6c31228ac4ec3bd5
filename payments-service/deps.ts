import type { Pool } from 'pg'
import type { Database } from '../db/connect.ts'
import type { Auth } from './accounts/auth.ts'
import type { Lake } from './content/lake.ts'
import type { SiteSettings } from './content/site-settings.ts'
import type { PriceBook } from './payments/prices.ts'
import type { Config } from './config.ts'
import type { Deadline } from './http/deadline.ts'
import type { Log } from './http/logging.ts'
import type { OperatorAuth } from './operator/auth.ts'
import type { SingleFlight } from './single-flight.ts'
import type { MethodBook } from './payments/methods.ts'
import type { StripeGateway } from './stripe/gateway.ts'

/** What every use case is handed. No module holds state of its own. */
export interface Deps {
  config: Config
  db: Database
  /** The same database by connections of their own, for answers and events: a flood of them leaves payments theirs. */
  bulk: Database
  /** Under `db`; for libraries that speak pg. */
  pool: Pool
  stripe: StripeGateway
  prices: PriceBook
  /** Saved payment methods as their owners know them. */
  methods: MethodBook
  /** The content lake with the token that reads the programme; null where none is configured. */
  lake: Lake | null
  /** What editors set; never fails. */
  settings: () => Promise<SiteSettings>
  flights: SingleFlight
  /**
   * What follows a settled payment, once or again: a first one starts its subscription. Handed in, so that settling
   * (payments/) knows nothing of what is built on it. A failure is the follower's to be worked off later.
   */
  afterPayment: (deps: Deps, intentId: string, by: Deadline | undefined) => Promise<unknown>
  /** better-auth, loaded with the first sign-up or sign-in: the service starts without it. */
  auth: () => Promise<Auth>
  /** The operators' own, on tables of its own; loaded with the first request of one. */
  operatorAuth: () => Promise<OperatorAuth>
  log: Log
  /** Tells the workers that there is something to do now; a lost word is harmless. */
  wake: (what: 'inbox' | 'outbox') => void
}
