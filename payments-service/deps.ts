import type { Database } from '../db/connect.ts'
import type { Config } from './config.ts'
import type { Log } from './http/logging.ts'
import type { StripeGateway } from './stripe/gateway.ts'

/** What every use case is handed. No module holds state of its own. */
export interface Deps {
  config: Config
  db: Database
  stripe: StripeGateway
  log: Log
  /** Tells the workers that there is something to do now; what it says is lost harmlessly. */
  wake: (what: 'inbox' | 'outbox') => void
}
