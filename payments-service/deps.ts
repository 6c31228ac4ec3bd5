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
import type { Tracing } from './tracing/tracing.ts'

/** What every use case gets. Modules hold no state. */
export interface Deps {
  config: Config
  db: Database
  /** The same database by separate connections, for answers and events: a flood of them leaves payments their own. */
  bulk: Database
  /** A replica for reports, which may be behind; null without one. */
  replica: Database | null
  /** The pool under `db`, for libraries that use pg directly. */
  pool: Pool
  /** Where traces are wanted. */
  tracing: Tracing | undefined
  stripe: StripeGateway
  prices: PriceBook
  /** Saved payment methods, as buyers recognise them. */
  methods: MethodBook
  /** The content lake with the token that reads the programme; null where none is configured. */
  lake: Lake | null
  /** The editors' settings; never fails. */
  settings: () => Promise<SiteSettings>
  flights: SingleFlight
  /**
   * What follows a settled payment, possibly more than once: a first one starts its subscription. Passed in, so that
   * settling (payments/) does not depend on what builds on it. What fails here has to be finished later by the
   * follower.
   */
  afterPayment: (deps: Deps, intentId: string, by: Deadline | undefined) => Promise<unknown>
  /** better-auth, loaded with the first sign-up or sign-in: the service starts without it. */
  auth: () => Promise<Auth>
  /** The operators' better-auth, on separate tables; loaded at an operator's first request. */
  operatorAuth: () => Promise<OperatorAuth>
  log: Log
  /** Wakes the workers because there is something to do; a lost call is harmless. */
  wake: (what: 'inbox' | 'outbox') => void
}
