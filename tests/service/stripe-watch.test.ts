import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../../payments-service/http/logging.ts'
import { createService } from '../../payments-service/service.ts'
import { checkWebhookEndpoint } from '../../payments-service/webhooks/watch.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { eventually } from './service.ts'

const OURS = '2026-10-28.endive'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel({ webhooks: false, background: false })))
afterAll(() => funnel.stop())

const lines: { level: number; msg: string }[] = []
beforeEach(() => void (lines.length = 0))
const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) })
const errors = () => lines.filter(({ level }) => level === 50).map(({ msg }) => msg)

describe('what is set wrong at Stripe', () => {
  test('P-10 after a start the log says whether webhooks come, in which version, and what to do', async () => {
    const deps = { ...funnel.service.deps, log }
    const url = `${funnel.config.siteUrl}/api/webhooks/stripe`
    const make = (version: string): Promise<{ id: string }> =>
      funnel.dashboard('POST', '/v1/webhook_endpoints', { url, api_version: version, 'enabled_events[0]': '*' })
    await checkWebhookEndpoint(deps)
    expect(errors()).toEqual([expect.stringContaining(`Stripe has no webhook endpoint`)])
    expect(errors()[0]).toContain(`make one for ${url} with api_version=${OURS}`)

    lines.length = 0
    const old = await make('2024-06-20')
    await checkWebhookEndpoint(deps)
    expect(errors()).toEqual([expect.stringContaining(`sends events in 2024-06-20, not in ${OURS}: make one`)])

    lines.length = 0
    const right = await make(OURS)
    await funnel.dashboard('POST', `/v1/webhook_endpoints/${old.id}`, { disabled: 'true' })
    await checkWebhookEndpoint(deps)
    expect(lines).toEqual([])

    await funnel.dashboard('POST', `/v1/webhook_endpoints/${right.id}`, { disabled: 'true' })
    await checkWebhookEndpoint(deps)
    expect(errors()).toEqual([expect.stringContaining('the webhook endpoint is disabled')])

    lines.length = 0
    await funnel.control('POST', 'faults', { mode: '500', path: '/v1/webhook_endpoints' })
    await checkWebhookEndpoint(deps)
    expect([errors(), lines.length]).toEqual([[], 1])
  })

  test('P-10 events in the version of an older account are said once, and buyers notice nothing', async () => {
    await funnel.control('POST', 'account', { api_version: '2024-06-20' })
    const service = createService(funnel.config, log)
    service.startWorkers()
    try {
      const buyer = await funnel.buyer()
      const { body } = await buyer.open()
      await funnel.confirm(body)
      await eventually(
        () => funnel.db.selectFrom('payments').select('id').where('session_id', '=', buyer.sessionId).execute(),
        (found) => found.length === 1,
      )
      const said = () => Promise.resolve(errors().filter((line) => line.includes("renders this account's events")))
      expect(await eventually(said, (found) => found.length > 0)).toEqual([
        expect.stringContaining('in 2024-06-20, not in'),
      ])
      await (await funnel.buyer()).pay()
      await new Promise((resume) => setTimeout(resume, 6_000))
      expect(await said()).toHaveLength(1)
    } finally {
      await service.stop()
    }
  })
})
