/**
 * Runs the embedded content lake as a process: `node stand-ins/content-lake/main.ts`. Configured by environment
 * variables, see README.md.
 */
import { resolve } from 'node:path'
import { startLake } from './start.ts'

const { env } = process
if (env.NODE_ENV === 'production') {
  console.error(
    'The embedded content lake is for development, tests and demonstrations. In production use a Sanity project.',
  )
  process.exit(1)
}
const port = Number(env.PORT ?? 3334)
if (!Number.isInteger(port) || port < 0 || port > 65535) {
  console.error(`PORT must be a port number, not ${JSON.stringify(env.PORT)}`)
  process.exit(1)
}
try {
  const lake = await startLake({
    port,
    host: env.LAKE_HOST ?? '127.0.0.1',
    dataDir: resolve(env.LAKE_DATA ?? '.data/lake'),
    seed: env.LAKE_SEED,
    projectId: env.LAKE_PROJECT_ID ?? 'local0001',
    dataset: env.LAKE_DATASET ?? 'production',
    token: env.LAKE_TOKEN,
    studioOrigins: (env.LAKE_STUDIO_ORIGINS ?? '').split(',').filter(Boolean),
    publicUrl: env.LAKE_PUBLIC_URL,
    log: (line) => console.log(line),
  })
  console.log(`lake: listening on ${lake.url}`)
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    void lake.close().then(() => process.exit(0))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
} catch (cause) {
  console.error(`lake: cannot start: ${(cause as Error).message}`)
  process.exit(1)
}
