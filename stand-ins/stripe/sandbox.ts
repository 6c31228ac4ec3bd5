// Starts the embedded Stripe: state from its ledger, the API, the pages, the webhooks.
import { Engine } from './engine.ts'
import { Faults } from './faults.ts'
import { Api } from './http/api.ts'
import { listen } from './http/server.ts'
import { openLedger } from './ledger.ts'
import { Pages } from './pages/pages.ts'
import { State } from './state.ts'
import { type LedgerEntry } from './types.ts'
import { Wallets } from './wallets.ts'
import './objects/all.ts'

export interface SandboxOptions {
  /** 0 takes a free one. */
  port: number
  /** Interface to listen on; 127.0.0.1 unless given. */
  host?: string
  /** Folder of the ledger; created when missing. */
  dataDir: string
  secretKey: string
  publishableKey: string
  /** Where events go; none are sent without it (they can still be listed). */
  webhookUrl?: string | undefined
  webhookSecret?: string | undefined
}

export interface Sandbox {
  url: string
  port: number
  /** All ledger lines on disk, oldest first. */
  ledger: () => LedgerEntry[]
  close: () => Promise<void>
}

/**
 * Starts the sandbox in this process. Throws with NODE_ENV=production, with a key that is not a test key, with a
 * webhook address without a secret, or when the port is taken (EADDRINUSE).
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  if (process.env['NODE_ENV'] === 'production')
    throw new Error('The Stripe sandbox does not run with NODE_ENV=production.')
  if (!options.secretKey.startsWith('sk_test_'))
    throw new Error('STRIPE_SECRET_KEY must start with sk_test_ for the sandbox.')
  if (!options.publishableKey.startsWith('pk_test_'))
    throw new Error('STRIPE_PUBLISHABLE_KEY must start with pk_test_ for the sandbox.')
  if (options.webhookUrl && !options.webhookSecret) throw new Error('STRIPE_WEBHOOK_URL needs STRIPE_WEBHOOK_SECRET.')
  const state = new State()
  const ledger = await openLedger(options.dataDir, (entry) => state.apply(entry))
  const endpoint =
    options.webhookUrl && options.webhookSecret
      ? { id: 'we_sandbox', url: options.webhookUrl, secret: options.webhookSecret, events: ['*'] }
      : undefined
  const engine = new Engine(state, ledger, endpoint)
  const faults = new Faults()
  const pages = new Pages(engine, faults, new Wallets())
  const api = new Api(engine, faults, { secretKey: options.secretKey, publishableKey: options.publishableKey })
  const host = options.host ?? '127.0.0.1'
  const { server, port } = await listen(options.port, host, api, pages).catch(async (error: unknown) => {
    await engine.close()
    throw error
  })
  const url = `http://127.0.0.1:${port}`
  pages.origin = url
  engine.start(url)
  return {
    url,
    port,
    ledger: () => ledger.read(),
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await engine.close()
    },
  }
}
