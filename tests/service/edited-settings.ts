/** The service with settings as editors keep them, from a content lake that knows nothing else. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Funnel, startFunnel } from './funnel.ts'

/** Without background work. `change` is set on top of the least that the service reads. */
export async function startEdited(change: Record<string, unknown>): Promise<Funnel> {
  const result = {
    productName: 'Eyes',
    company: { name: 'Eyes Ltd', address: 'Street 1', country: 'US' },
    contactEmail: 'help@eyes.test',
    ...change,
  }
  const lake = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ms: 1, query: '', result }))
  })
  await new Promise<void>((listening) => void lake.listen(0, '127.0.0.1', listening))
  const funnel = await startFunnel({
    background: false,
    env: {
      SANITY_API_HOST: `http://127.0.0.1:${(lake.address() as AddressInfo).port}`,
      SANITY_PROJECT_ID: 'local0001',
      SANITY_READ_TOKEN: 'token-for-tests-only',
    },
  })
  return {
    ...funnel,
    async stop() {
      await funnel.stop()
      lake.closeAllConnections()
      await new Promise((closed) => lake.close(closed))
    },
  }
}
