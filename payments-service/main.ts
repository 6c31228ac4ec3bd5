/** env → config → connect → listen → stop. The only file that reads process.env. */
import type { AddressInfo } from 'node:net'
import { pendingMigrations } from '../db/migrate.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { createLog, describeError, type Log } from './http/logging.ts'
import { createService } from './service.ts'
import { setUpCatalogue } from './stripe/setup.ts'

/** Milliseconds that running requests get when the service is asked to stop. */
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
  const server = service.app.listen(config.port, config.host, () => {
    log.info({ port: (server.address() as AddressInfo).port }, 'listening')
  })
  server.on('error', (error) => {
    log.fatal({ err: error }, `cannot listen on ${config.host}:${config.port}`)
    process.exit(1)
  })

  service.startWorkers()
  if (!config.mail.smtpUrl) log.warn('SMTP_URL is not set: mails wait in the outbox')
  if (config.embedded) void fillCatalogue(config, log)

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

/** The embedded Stripe starts empty, and may start after us: waits for it. */
async function fillCatalogue(config: Config, log: Log): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const changed = await setUpCatalogue(config.stripe)
      if (changed.length > 0) log.info({ products: changed.length }, 'catalogue set up in Stripe')
      return
    } catch (error) {
      log.warn({ err: error, attempt }, 'Stripe is not reachable yet; the catalogue waits')
      await new Promise((resume) => setTimeout(resume, 2_000))
    }
  }
}

try {
  await main()
} catch (error) {
  if (error instanceof ConfigError) console.error(error.message)
  else console.error(JSON.stringify({ level: 'fatal', service: 'payments', err: describeError(error) }))
  process.exit(1)
}
