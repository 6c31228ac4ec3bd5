/** What is wrong while everything runs: the shop goes on, and says so in a line, to the doctor and as an alert. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { connect } from '../../db/connect.ts'
import { holdingNow } from '../../payments-service/alerts/rules.ts'
import { createLog } from '../../payments-service/http/logging.ts'
import { createMetrics } from '../../payments-service/metrics/metrics.ts'
import { settled } from '../faults/invariants.ts'
import { pause } from '../faults/random.ts'
import { endLeases, lastLines } from '../faults/world.ts'
import { makeCertificate } from '../support/started.ts'
import { byDoor, noticed, type Row, type Scene, seconds } from './row.ts'
import { examine } from './settings.ts'
import type { Stage } from './stage.ts'

type Change = Readonly<Record<string, string>>

/** Starts the replicas anew, each with something changed. */
export async function startAnew({ world, start }: Stage, changes: readonly Change[] = []): Promise<void> {
  await Promise.all(
    world.replicas.map(async (replica, at) => {
      await replica.kill()
      await start(replica, changes[at])
    }),
  )
}

/** The alerts that hold by what the database says. */
async function alertsOf({ world }: Stage, siteUrl?: string): Promise<string[]> {
  const { db, close } = connect(world.databaseUrl, { max: 1 })
  const log = createLog('silent')
  const metrics = createMetrics({ db, pools: {}, loops: () => ({}), lake: null, log, ...(siteUrl ? { siteUrl } : {}) })
  const names = [...holdingNow(await metrics.samples()).keys()]
  await close()
  return names
}

interface Heard {
  /** A line of the log. */
  line: RegExp
  /** What the doctor says. */
  check: RegExp
}

/** Buyers buy at replicas that are started with something wrong, until Stripe's events are through by the poll. */
async function withWrong(scene: Scene, changes: readonly [Change, Change], { line, check }: Heard) {
  const { stage } = scene
  await startAnew(stage, changes)
  const crowd = scene.admit()
  await pause(8_000)
  const stopped = await crowd.over()
  await endLeases(stage.world)
  const { violations, milliseconds } = await settled(stage.world)
  // whoever was to read Stripe's list may have been killed: another one does after a while
  let alerts = await alertsOf(stage)
  for (const end = Date.now() + 60_000; !alerts.includes('WebhooksSilent') && Date.now() < end; await pause(1_000))
    alerts = await alertsOf(stage)
  const said = await examine(stage, changes[0])
  const log = lastLines(stage.world, 2_000)
  await startAnew(stage)
  return {
    figures:
      `${crowd.done()} of ${crowd.buyers.length} buyers have what they paid for, failed requests: ` +
      `${byDoor(stage, crowd.asked)}; settled after ${seconds(milliseconds)}; alerts: ${alerts.join(', ')}`,
    violations: [
      ...noticed(crowd.asked),
      ...stopped,
      ...violations,
      ...(crowd.done() > 0 ? [] : ['nobody bought']),
      ...(log.some((one) => line.test(one)) ? [] : [`no line of the log says ${line}`]),
      ...(said.some((one) => one.startsWith('FAIL') && check.test(one)) ? [] : [`the doctor: ${said.join('; ')}`]),
      ...(alerts.includes('WebhooksSilent') ? [] : ['the alert WebhooksSilent does not hold']),
      ...alerts.filter((name) => name !== 'WebhooksSilent'),
    ],
  }
}

export const wrongSecret: Row = {
  name: 'secret',
  title: 'P-10 N-03 a wrong webhook secret: everybody gets what was paid for by the poll, and it is said in three ways',
  long: true,
  run: (scene) => {
    const wrong = { STRIPE_WEBHOOK_SECRET: 'whsec_ofanotherendpoint0000' }
    return withWrong(scene, [wrong, wrong], {
      line: /webhook refused: .*STRIPE_WEBHOOK_SECRET/,
      check: /webhooks.*STRIPE_WEBHOOK_SECRET/,
    })
  },
}

export const clocks: Row = {
  name: 'clocks',
  title: 'P-10 D-11 clocks of the replicas 14 minutes apart, and 7 from Stripe’s: buyers buy, and it is said',
  long: true,
  run: (scene) => {
    const shim = new URL('./shifted-clock.mjs', import.meta.url).href
    const off = (minutes: number): Change => ({
      NODE_OPTIONS: `--import ${shim}`,
      CLOCK_OFF: String(minutes * 60_000),
    })
    return withWrong(scene, [off(7), off(-7)], {
      line: /clock and Stripe's differ/,
      check: /clock of (?:Stripe|PostgreSQL) and ours differ by 4\d\d s/,
    })
  },
}

export const certificate: Row = {
  name: 'certificate',
  title: 'D-11 an ended certificate in front of the shop: the doctor names it, and an alert',
  long: true,
  async run({ stage }) {
    const place = join(stage.world.server.folder, 'ended')
    const tls = makeCertificate(place, -1)
    const server = createServer({ cert: readFileSync(tls.certificate), key: readFileSync(tls.key) })
    await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    const siteUrl = `https://localhost:${port}`
    const said = await examine(stage, { SITE_URL: siteUrl }, tls.certificate)
    const alerts = await alertsOf(stage, siteUrl)
    await new Promise((closed) => server.close(closed))
    const found = said.find((one) => /^FAIL +public address +the certificate has ended/.test(one))
    return {
      figures: found ?? '',
      violations: [
        ...(found ? [] : [`the doctor: ${said.join('; ')}`]),
        ...(alerts.includes('CertificateEnds') ? [] : ['the alert CertificateEnds does not hold']),
      ],
    }
  },
}
