/** How long after a statement on /exit was sent its acknowledgement is at the mail server: all sent at once. */
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { statement } from '../service/exits.ts'
import { startFunnel } from '../service/funnel.ts'
import { eventually } from '../service/service.ts'

/** Notes when the acknowledgement for an address arrives. */
async function startMailServer(arrived: Map<string, number>): Promise<SMTPServer> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    closeTimeout: 100,
    onData(stream, { envelope }, done) {
      void text(stream).then((letter) => {
        const isIt = /^Subject: .*received your cancellation/m.test(letter)
        if (isIt) for (const { address } of envelope.rcptTo) arrived.set(address, performance.now())
        done()
      }, done)
    },
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return server
}

/** Milliseconds for each of `count` statements, every fourth of them by a buyer. */
export async function acknowledgements(count: number): Promise<number[]> {
  const arrived = new Map<string, number>()
  const server = await startMailServer(arrived)
  const smtp = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const funnel = await startFunnel({ env: { TRUST_PROXY: 'loopback', SMTP_URL: smtp } })
  try {
    const people = Array.from({ length: count }, (_, n) => `leaves${n}@example.com`)
    for (const email of people.filter((_, n) => n % 4 === 0)) await (await funnel.buyer(email)).pay()
    const begun = new Map<string, number>()
    await Promise.all(
      people.map(async (email, n) => {
        begun.set(email, performance.now())
        const response = await fetch(`${funnel.url}/api/exit`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': `12.${n >> 8}.${n & 255}.7` },
          body: JSON.stringify(statement(email)),
        })
        if (!response.ok) throw new Error(`not received: ${response.status}`)
      }),
    )
    await eventually(
      () => Promise.resolve(arrived.size),
      (size) => size >= count,
      300_000,
    )
    return people.map((email) => (arrived.get(email) ?? Number.NaN) - (begun.get(email) ?? 0))
  } finally {
    await funnel.stop()
    await new Promise<void>((closed) => server.close(closed))
  }
}
