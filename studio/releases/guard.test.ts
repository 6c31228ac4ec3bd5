/** What the Studio asks before an editor presses “Run release”. */
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { guardedClient } from './guard.ts'

/** How the content lake refuses, by the type of its error. */
let refusal: string | undefined
const server = createServer((_, response) => {
  const type = refusal
  response.writeHead(type === undefined ? 200 : 409, { 'content-type': 'application/json' })
  response.end(JSON.stringify(type === undefined ? { transactionId: 'done' } : { error: { type, description: type } }))
})
beforeAll(() => new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready)))
afterAll(() => server.close())

const releases = () => {
  const apiHost = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const config = { projectId: 'local0001', dataset: 'production', apiVersion: '2026-03-01', maxRetries: 0 }
  return guardedClient({ ...config, apiHost, useProjectHostname: false, useCdn: false }).withConfig({}).releases
}
const publishAt = '2027-01-01T00:00:00Z'
const asked = {
  publish: () => releases().publish({ releaseId: 'rSpring' }, { dryRun: true }),
  schedule: () => releases().schedule({ releaseId: 'rSpring', publishAt }, { dryRun: true }),
}

it.each(['publish', 'schedule'] as const)(
  'K-05 whether somebody may %s a release is a question of their role, not of what it holds',
  async (action) => {
    refusal = undefined
    await expect(asked[action]()).resolves.toEqual({ transactionId: 'done' })
    refusal = 'documentHasExistingReferencesError'
    await expect(asked[action]()).resolves.toBeDefined()
    refusal = 'insufficientPermissionsError'
    await expect(asked[action]()).rejects.toThrow('insufficientPermissionsError')
  },
)
