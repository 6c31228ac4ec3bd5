/** The certificate that the site shows, as metrics and alerts see it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connect } from '../../db/connect.ts'
import { holdingNow } from '../../payments-service/alerts/rules.ts'
import { createLog } from '../../payments-service/http/logging.ts'
import { createMetrics } from '../../payments-service/metrics/metrics.ts'
import { missingBalancers } from '../support/haproxy.ts'
import { makeCertificate } from '../support/started.ts'

const log = createLog('silent')

/** The seconds left, whether that is an alert, and whether it is unknown. */
async function look(siteUrl: string) {
  const { db, close } = connect('postgres://postgres@127.0.0.1:1/none', { max: 1 })
  const metrics = createMetrics({ db, pools: {}, loops: () => ({}), lake: null, log, siteUrl })
  const samples = await metrics.samples()
  await close()
  return {
    left: samples.find(({ name }) => name === 'funnel_certificate_seconds_left')?.value,
    alert: holdingNow(samples).has('CertificateEnds'),
    unknown: metrics.unread().has('funnel_certificate_seconds_left'),
  }
}

test.skipIf(missingBalancers()[2])(
  'N-03 a certificate that has ended or soon ends is an alert, one that lasts is none',
  async () => {
    const place = mkdtempSync(join(tmpdir(), 'certificates-'))
    const found = []
    for (const days of [30, 1, -1]) {
      const tls = makeCertificate(join(place, String(days)), days)
      const server = createServer({ cert: readFileSync(tls.certificate), key: readFileSync(tls.key) })
      await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
      found.push(await look(`https://localhost:${(server.address() as AddressInfo).port}`))
      await new Promise((closed) => server.close(closed))
    }
    rmSync(place, { recursive: true })
    expect(found.map(({ left = 0 }) => Math.round(left / 86_400))).toEqual([30, 1, -1])
    expect(found.map(({ alert }) => alert)).toEqual([false, true, true])
  },
)

test('N-03 without an answer nothing is known and nothing alarmed; without TLS none is asked for', async () => {
  expect(await look('https://localhost:1')).toEqual({ left: undefined, alert: false, unknown: true })
  expect(await look('http://localhost:1')).toEqual({ left: undefined, alert: false, unknown: false })
})
