/** What commands of the service share. */
import { runCommand } from '../db/command.ts'
import { type Environment, startedService } from '../db/named-database.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { createLog } from './http/logging.ts'
import { createService, type Service } from './service.ts'

/**
 * The settings of a command: the environment's; where that names nothing else than the service of `npm start` has, and
 * is none of a production, that service's.
 */
export function settingsOf(environment: Environment, started = startedService()): Environment {
  // an empty line in .env means: not set
  const named = Object.fromEntries(Object.entries(environment).filter(([, value]) => value))
  const others = Object.entries(started).filter(
    ([name, value]) => named[`${name}_FILE`] || (named[name] ?? value) !== value,
  )
  return others.length > 0 || named['NODE_ENV'] === 'production' ? environment : { ...started, ...named }
}

/** The configuration of a command. Throws ConfigError, with the way out for who has configured nothing at all. */
export function configOf(environment: Environment, started = startedService()): Config {
  try {
    return readConfig(settingsOf(environment, started))
  } catch (error) {
    const { NODE_ENV, DATABASE_URL, DATABASE_URL_FILE } = environment
    const named = NODE_ENV === 'production' || DATABASE_URL || DATABASE_URL_FILE
    if (!(error instanceof ConfigError) || named || Object.keys(started).length > 0) throw error
    throw new ConfigError([...error.problems, 'or run npm start: beside it this command needs no settings'])
  }
}

/** Does a command's work with the service, which listens nowhere and does nothing in the background. */
export function runWithService(work: (service: Service) => Promise<void>): Promise<void> {
  return runCommand(async () => {
    const service = createService(configOf(process.env), createLog('error'))
    try {
      await work(service)
    } finally {
      await service.stop()
    }
  })
}
