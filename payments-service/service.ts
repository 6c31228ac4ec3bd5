import type { Express } from 'express'
import { connect, type Database } from '../db/connect.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import type { Log } from './http/logging.ts'
import { createGateway } from './stripe/gateway.ts'

/** The wired service: its HTTP side and its workers, apart from ports and signals. */
export interface Service {
  app: Express
  db: Database
  deps: Deps
  startWorkers(): Promise<void>
  stop(): Promise<void>
}

/** Wires everything from a config. Nothing connects before the first query. */
export function createService(config: Config, log: Log): Service {
  const { db, close } = connect(config.databaseUrl, {
    max: 20,
    name: 'payments-service',
    onError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
  })
  const deps: Deps = { config, db, log, stripe: createGateway(config.stripe), wake: () => undefined }
  return {
    app: createApp(deps),
    db,
    deps,
    startWorkers: () => Promise.resolve(),
    stop: close,
  }
}
