/** A production on this machine: two replicas with the limits of production, TLS, and three kinds of balancers. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { nginxFile } from '../../src/site/host-files.ts'
import { launch, untilReady } from '../../scripts/processes.ts'
import { contentEnv, lake, mailbox, type World as Parts } from '../../scripts/programs.ts'
import { anyPort } from '../../db/ports.ts'
import { newSecrets, usualPorts } from '../../scripts/settings.ts'
import { pause } from '../faults/random.ts'
import { checkedBalancer, type CheckedWire } from '../faults/wires.ts'
import { type Replica, type Server, startWorld, type World } from '../faults/world.ts'
import { findHaproxy, startHaproxy } from '../support/haproxy.ts'
import { findNginx, startNginx } from '../support/nginx.ts'
import { type Killable, makeCertificate } from '../support/started.ts'

/** A way in for buyers: a balancer. */
export interface Door extends Killable {
  name: 'nginx' | 'haproxy' | 'no second try'
}

export interface Stage {
  world: World
  doors: Door[]
  /** Balancers of which this machine has no program. */
  missing: string[]
  drainSeconds: number
  /** What the service is started with. */
  env: Record<string, string | undefined>
  /** Of the made certificate. */
  certificate: string
  /** Content and mail of the stand-ins, in a full rehearsal. */
  parts: Parts | undefined
  /** Whether the balancer without a second try would send requests to this replica. */
  sees(replica: Replica): boolean
  /** Starts a replica, with something changed, and waits until it is ready and the balancers know. */
  start(replica: Replica, change?: Readonly<Record<string, string>>): Promise<void>
  /** Resolves when every replica is ready and the balancers know. */
  ready(): Promise<void>
  stop(keep: boolean): Promise<void>
}

/** `whole`: with the content lake and a mail server, so that the doctor has everything to ask. */
export async function setStage(server: Server, options: { drainSeconds: number; whole: boolean }): Promise<Stage> {
  const { drainSeconds, whole } = options
  const place = join(server.folder, 'stage')
  mkdirSync(place)
  const tls = makeCertificate(place)
  setDefaultCACertificates([...getCACertificates(), readFileSync(tls.certificate, 'utf8')])
  const secrets = newSecrets()
  const ports = { ...usualPorts, lake: await anyPort(), mailbox: await anyPort(), smtp: await anyPort() }
  const parts: Parts = { ports, secrets, databaseUrl: '', dataDir: place, configured: {} }
  const programs = whole ? [lake(parts), mailbox(parts)] : []
  const running = programs.map((program) => launch(program, { logDir: place }))
  await Promise.all(running.map((one, at) => untilReady(one, programs[at]!.readyUrl)))

  const front = await anyPort()
  const world = await startWorld(server, {
    replicas: 2,
    idle: true,
    env: {
      // an empty variable is none: nothing of a test's mode is left
      ...{ NODE_ENV: 'production', REHEARSAL: '1', EMBEDDED: '', PAYPAL_TRIAL: '' },
      ...{ SITE_URL: `https://localhost:${front}`, TOKEN_SECRET: secrets.tokenSecret },
      // the balancers and, for haproxy, whoever says where a buyer comes from
      ...{ TRUST_PROXY: 'loopback', COUNTRY_HEADER: 'x-country-code', DRAIN_SECONDS: String(drainSeconds) },
      STRIPE_SECRET_KEY: secrets.stripeSecretKey,
      STRIPE_PUBLISHABLE_KEY: secrets.stripePublishableKey,
      STRIPE_WEBHOOK_SECRET: secrets.stripeWebhookSecret,
      ...(whole ? contentEnv(parts) : { SANITY_PROJECT_ID: 'local0001', SANITY_API_HOST: 'http://127.0.0.1:9' }),
      ...{ SANITY_READ_TOKEN: secrets.lakeToken, SMTP_URL: `smtp://127.0.0.1:${whole ? ports.smtp : 9}` },
    },
  })
  const replicaPorts = world.replicas.map(({ port }) => port)
  const servers = replicaPorts.map((port) => `127.0.0.1:${port}`)
  for (const name of ['index', '404', '500']) writeFileSync(join(place, `${name}.html`), name)
  const doors: Door[] = []
  const open = (name: Door['name'], one: Killable) => doors.push({ ...one, name })
  // the address that the service knows as its own
  if (findNginx()) {
    const block = nginxFile({ '': { scripts: [], styles: [] } }, { root: place, servers, logs: place })
    // its reasons, for finding out why a request failed
    const telling = block.replace('error.log crit', 'error.log error')
    open('nginx', await startNginx(telling, { place, port: front, tls }))
  }
  if (findHaproxy()) {
    const site = `127.0.0.1:${front}`
    const listen = { place, port: await anyPort(), tls }
    open('haproxy', await startHaproxy({ servers, site, drainSeconds }, listen))
  }
  const [cert, key] = [readFileSync(tls.certificate, 'utf8'), readFileSync(tls.key, 'utf8')]
  const plain: CheckedWire = await checkedBalancer(replicaPorts, { every: drainSeconds * 200, cert, key })
  open('no second try', { ...plain, url: `https://127.0.0.1:${plain.port}`, stop: () => plain.close() })

  const ready = async (replica: Replica): Promise<void> => {
    await untilItSaysSo(replica)
    // one that is replaced before its balancer has checked the other leaves no replica to send a buyer to
    while (!plain.sees(replica.port)) await pause(20)
  }
  return {
    world,
    doors,
    missing: [findNginx() ? '' : 'nginx', findHaproxy() ? '' : 'haproxy'].filter(Boolean),
    drainSeconds,
    env: world.env,
    certificate: tls.certificate,
    parts: whole ? parts : undefined,
    sees: ({ port }) => plain.sees(port),
    async start(replica, change) {
      await replica.start(undefined, change)
      await ready(replica)
    },
    ready: () => Promise.all(world.replicas.map(ready)).then(() => undefined),
    async stop(keep) {
      await Promise.all(doors.map((one) => one.stop()))
      await world.stop(keep)
      await Promise.all(running.map((one) => one.stop()))
    },
  }
}

/** Resolves when a process of the service says that it is ready; rejects after a minute. */
export async function untilItSaysSo({ url }: Pick<Replica, 'url'>): Promise<void> {
  for (let end = Date.now() + 60_000; ; await pause(30)) {
    const asked = fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3_000) })
    if (
      await asked.then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
    if (Date.now() > end) throw new Error(`${url} is not ready`)
  }
}
