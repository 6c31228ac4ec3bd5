// Runs the sandbox as a process: `node stand-ins/stripe/main.ts`. Configured by environment variables (README.md).
import { startSandbox } from './sandbox.ts'

function need(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') {
    console.error(`stripe sandbox: ${name} is not set`)
    process.exit(1)
  }
  return value
}

try {
  const sandbox = await startSandbox({
    port: Number(process.env['PORT'] ?? 4243),
    ...(process.env['HOST'] ? { host: process.env['HOST'] } : {}),
    dataDir: need('STRIPE_SANDBOX_DATA'),
    secretKey: need('STRIPE_SECRET_KEY'),
    publishableKey: need('STRIPE_PUBLISHABLE_KEY'),
    webhookUrl: process.env['STRIPE_WEBHOOK_URL'],
    webhookSecret: process.env['STRIPE_WEBHOOK_SECRET'],
  })
  console.log(`stripe sandbox listening on ${sandbox.url}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void sandbox.close().then(() => process.exit(0)))
  }
} catch (error) {
  console.error(`stripe sandbox: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
