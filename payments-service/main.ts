/** env → config → connect → listen → stop. The only file that reads process.env. */
import type { AddressInfo } from 'node:net'
import { pendingMigrations } from '../db/migrate.ts'
import { ConfigError, readConfig } from './config.ts'
import { createLog, describeError } from './http/logging.ts'
import { createService } from './service.ts'

/** Milliseconds that requests in flight get when the service is asked to stop. */
const STOP_WITHIN = 10_000

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const service = createService(config, log)
  const pending = await pendingMigrations(service.db)
  if (pending.length > 0) {
    await service.stop()
    throw new Error(`the database lacks migrations: ${pending.join(', ')}. Run: npm run migrate`)
  }
  const server = service.app.listen(config.port, () => {
    log.info({ port: (server.address() as AddressInfo).port }, 'listening')
  })
  server.on('error', (error) => {
    log.fatal({ err: error }, `cannot listen on port ${config.port}`)
    process.exit(1)
  })

  await service.startWorkers()

  let stopping = false
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), STOP_WITHIN).unref()
    await new Promise((closed) => {
      server.close(closed)
      server.closeIdleConnections()
    })
    await service.stop()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
}

try {
  await main()
} catch (error) {
  if (error instanceof ConfigError) console.error(error.message)
  else console.error(JSON.stringify({ level: 'fatal', service: 'payments', err: describeError(error) }))
  process.exit(1)
}
