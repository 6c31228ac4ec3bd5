import { connect } from 'node:tls'
import { Gauge, type Registry } from 'prom-client'

/** Milliseconds for which an answer is kept, for which none is, and that one may take. */
const KEPT = 3_600_000
const AGAIN = 60_000
const PATIENCE = 4_000

const NAME = 'funnel_certificate_seconds_left'

/** When the certificate of this address ends; undefined where none is shown. */
function endOf(site: string): Promise<number | undefined> {
  const { hostname, port } = new URL(site)
  return new Promise((done) => {
    // also one that is not valid is looked at; nothing is sent
    const options = { host: hostname, port: Number(port || 443), servername: hostname, rejectUnauthorized: false }
    const socket = connect(options, () => finish(Date.parse(socket.getPeerCertificate().valid_to)))
    const finish = (end?: number): void => {
      clearTimeout(late)
      socket.destroy()
      done(Number.isNaN(end) ? undefined : end)
    }
    const late = setTimeout(finish, PATIENCE)
    socket.on('error', () => finish())
  })
}

/**
 * Watches how long the certificate lasts that visitors of the site are shown. Returns what looks again where that is
 * due, and notes in `unread` that nothing answered.
 */
export function watchCertificate(registry: Registry, site: string | undefined, unread: Set<string>) {
  const gauge = new Gauge({
    name: NAME,
    help: 'How long the certificate lasts that the site shows; negative: it has ended',
    registers: [registry],
  })
  gauge.remove()
  let [next, end]: [number, number | undefined] = [0, undefined]
  return async (): Promise<void> => {
    if (!site?.startsWith('https:')) return
    if (Date.now() >= next) {
      end = await endOf(site)
      next = Date.now() + (end === undefined ? AGAIN : KEPT)
    }
    if (end === undefined) {
      gauge.remove()
      unread.add(NAME)
      return
    }
    unread.delete(NAME)
    gauge.set((end - Date.now()) / 1000)
  }
}
