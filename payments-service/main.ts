/** env → config → connect → listen → stop. Of the running service, the only file that reads process.env. */
import type { AddressInfo } from 'node:net'
import { Command } from 'commander'
import { KEEP_ALIVE } from '../contract/listener.ts'
import { checkSchema } from '../db/migrate.ts'
import { checkDirect } from '../db/pooler.ts'
import { checkServer } from '../db/server-version.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { createErrorReporter } from './http/error-reports.ts'
import { createLog, describeError, type Log } from './http/logging.ts'
import { traceKeys } from './keys/keys.ts'
import { createMetricsServer } from './metrics/listener.ts'
import { createService } from './service.ts'
import { setUpCatalogue } from './stripe/setup.ts'
import type { Tracing } from './tracing/tracing.ts'

/** Milliseconds that running requests get once the service has drained. */
const STOP_WITHIN = 10_000
/** Milliseconds that the end waits at most for a quiet turn of the event loop. */
const QUIET_WITHIN = 500
/** How often a stopping server closes connections that have become idle. */
const SWEEP = 50

async function main(): Promise<void> {
  new Command('npm run service').description('The payments service, by hand.').showHelpAfterError().parse()
  const config = readConfig(process.env)
  const reports = config.errorReports
  const report = reports ? createErrorReporter(reports.target, reports.environment) : undefined
  const log = createLog(config.logLevel, undefined, report)
  const tracing = await startTracing(config, log)
  const service = createService(config, log, tracing)
  if (config.databaseUrlDirect === null) await checkDirect(config.databaseUrl)
  await checkServer(service.db)
  await checkSchema(service.db)
  const server = service.app.listen(config.port, config.host)
  server.on('listening', () => log.info({ port: (server.address() as AddressInfo).port }, 'listening'))
  server.keepAliveTimeout = KEEP_ALIVE
  server.on('error', (error) => {
    log.fatal({ err: error }, `cannot listen on ${config.host}:${config.port}`)
    process.exit(1)
  })

  if (config.metricsPort !== null) {
    const inner = createMetricsServer(service.metrics).listen(config.metricsPort, config.host)
    inner.on('listening', () => log.info({ metricsPort: (inner.address() as AddressInfo).port }, 'metrics are served'))
    inner.on('error', (error) => {
      log.fatal({ err: error }, `cannot serve metrics on ${config.host}:${config.metricsPort}`)
      process.exit(1)
    })
  }

  service.startWorkers()
  if (!config.mail.smtpUrl) log.warn('SMTP_URL is not set: mails wait in the outbox')
  if (config.rehearsal) log.warn('REHEARSAL=1: payments go to the sandbox and nobody is charged')
  if (config.embedded) void fillCatalogue(config, log)

  let hurry: (() => void) | undefined
  const stop = async (signal: string): Promise<void> => {
    // asked again: the second signal does not wait for the drain
    if (hurry) return hurry()
    const { drainSeconds } = config
    const drained = new Promise<void>((resume) => (hurry = resume))
    setTimeout(() => hurry?.(), drainSeconds * 1_000)
    log.info({ signal, drainSeconds }, 'stopping')
    service.drain()
    await drained
    setTimeout(() => process.exit(1), STOP_WITHIN).unref()
    await quietMoment()
    await new Promise((closed) => {
      server.close(closed)
      // a request that began before the signal may still keep its connection
      setInterval(() => server.closeIdleConnections(), SWEEP).unref()
    })
    await service.stop()
    await tracing?.stop()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
}

/** Loads what it needs only here: without traces it costs nothing. */
async function startTracing(config: Config, log: Log): Promise<Tracing | undefined> {
  if (!config.traces) return undefined
  const { createTracing } = await import('./tracing/otlp.ts')
  return createTracing(config.traces, traceKeys(config), (taken, why) => {
    if (taken) log.info('traces are taken again')
    else log.warn({ err: why }, 'traces cannot be handed out, and are dropped')
  })
}

/**
 * Resolves right after a look at the sockets that found little to do: every request that has arrived by then is known.
 * What comes while something else is at work would be reset by a server that closes.
 */
async function quietMoment(): Promise<void> {
  for (const end = performance.now() + QUIET_WITHIN; performance.now() < end;) {
    const began = performance.now()
    await new Promise((resume) => setImmediate(resume))
    await new Promise((resume) => setImmediate(resume))
    if (performance.now() - began < 1) return
  }
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
