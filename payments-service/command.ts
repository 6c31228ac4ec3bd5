/** What commands of the service share. */
import { runCommand } from '../db/command.ts'
import { type Environment, startedService } from '../db/named-database.ts'
import { readConfig } from './config.ts'
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

/** Does a command's work with the service, which listens nowhere and does nothing in the background. */
export function runWithService(work: (service: Service) => Promise<void>): Promise<void> {
  return runCommand(async () => {
    const service = createService(readConfig(settingsOf(process.env)), createLog('error'))
    try {
      await work(service)
    } finally {
      await service.stop()
    }
  })
}
