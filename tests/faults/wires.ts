/**
 * What sits between the programs: a proxy to PostgreSQL that can cut a connection after a commit, and a balancer in
 * front of the replicas.
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

export interface Wire {
  port: number
  close(): Promise<void>
}

async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((ready, fail) => void server.once('error', fail).listen(port, '127.0.0.1', ready))
  return (server.address() as AddressInfo).port
}

function closer(server: Server, open: Set<Socket>): () => Promise<void> {
  return async () => {
    for (const socket of open) socket.destroy()
    await new Promise((closed) => server.close(closed))
  }
}

const COMMAND_COMPLETE = 0x43
const READY = 0x5a
const OUTSIDE = 0x49
const WRITES = /^(COMMIT|INSERT 0 [1-9]|UPDATE [1-9]|DELETE [1-9])/

/**
 * A TCP proxy to PostgreSQL. It reads the server's messages: where one confirms a commit, `cut` decides whether the
 * client receives it or loses its connection there. `target` is called for every connection.
 */
export async function postgresWire(target: () => number, cut: () => boolean): Promise<Wire> {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target(), '127.0.0.1')
    const both = [client, upstream] as const
    const end = () => both.forEach((socket) => (socket.destroy(), open.delete(socket)))
    for (const socket of both) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.on('error', end).on('close', end)
    }
    client.pipe(upstream)
    let rest: Buffer = Buffer.alloc(0)
    let tag: string | undefined
    let held: Buffer[] = []
    upstream.on('data', (part: Buffer) => {
      rest = rest.length ? Buffer.concat([rest, part]) : part
      let at = 0
      const out: Buffer[] = []
      while (rest.length - at >= 5 && rest.length - at >= 1 + rest.readUInt32BE(at + 1)) {
        const size = 1 + rest.readUInt32BE(at + 1)
        const message = rest.subarray(at, at + size)
        at += size
        if (message[0] === COMMAND_COMPLETE) tag = message.toString('latin1', 5, size - 1)
        // the confirmation of a commit is held back until the server reports that the transaction is over
        if (tag !== undefined) held.push(message)
        else out.push(message)
        if (message[0] !== READY) continue
        if (tag !== undefined && message[5] === OUTSIDE && WRITES.test(tag) && cut()) return end()
        out.push(...held)
        ;[held, tag] = [[], undefined]
      }
      rest = rest.subarray(at)
      if (out.length) client.write(Buffer.concat(out))
    })
  })
  const port = await listen(server)
  return { port, close: closer(server, open) }
}

/** Hands every connection to the next replica that answers; refuses when none does. */
export async function balancer(ports: readonly number[]): Promise<Wire> {
  const open = new Set<Socket>()
  let turn = 0
  const server = createServer({ pauseOnConnect: true }, (client) => {
    open.add(client)
    client.setNoDelay(true)
    client.on('close', () => open.delete(client)).on('error', () => client.destroy())
    const first = turn++
    const attempt = (n: number) => {
      if (n === ports.length) return void client.destroy()
      const upstream = connect(ports[(first + n) % ports.length] ?? 0, '127.0.0.1')
      upstream.once('error', () => attempt(n + 1))
      upstream.once('connect', () => {
        upstream.removeAllListeners('error')
        open.add(upstream)
        upstream.setNoDelay(true)
        upstream.on('error', () => client.destroy()).on('close', () => (open.delete(upstream), client.destroy()))
        client.on('close', () => upstream.destroy())
        client.pipe(upstream)
        upstream.pipe(client)
        client.resume()
      })
    }
    attempt(0)
  })
  const port = await listen(server)
  return { port, close: closer(server, open) }
}

export interface CheckedWire extends Wire {
  /** Whether the last check found this replica ready. */
  sees(port: number): boolean
  /** It ends at once, as a program that is killed. */
  kill(): Promise<void>
  /** It listens again where it did. */
  start(): Promise<void>
}

/**
 * Ends TLS and hands every connection to one of the replicas whose `/readyz` answered well at the last check, `every`
 * so many milliseconds; a connection that fails is not tried again elsewhere. So do a cloud's balancer and Kubernetes.
 */
export async function checkedBalancer(
  ports: readonly number[],
  { every, cert, key }: { every: number; cert: string; key: string },
): Promise<CheckedWire> {
  const open = new Set<Socket>()
  const ready = new Set<number>()
  let turn = 0
  const check = async (port: number): Promise<void> => {
    const signal = AbortSignal.timeout(2_000)
    const well = await fetch(`http://127.0.0.1:${port}/readyz`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (well) ready.add(port)
    else ready.delete(port)
  }
  const checks = ports.map((port) => setInterval(() => void check(port), every))
  const server = createTlsServer({ cert, key }, (client) => {
    open.add(client)
    const places = ports.filter((port) => ready.has(port))
    const upstream = connect(places[turn++ % places.length] ?? 9, '127.0.0.1')
    open.add(upstream)
    client.on('close', () => (open.delete(client), upstream.destroy())).on('error', () => upstream.destroy())
    upstream.on('close', () => (open.delete(upstream), client.destroy())).on('error', () => client.destroy())
    client.pipe(upstream).pipe(client)
  })
  server.on('tlsClientError', () => undefined)
  // also those that have not agreed on TLS yet
  server.on('connection', (raw) => void open.add(raw.on('close', () => open.delete(raw))))
  const port = await listen(server)
  const kill = closer(server, open)
  return {
    port,
    kill,
    start: () => listen(server, port).then(() => undefined),
    sees: (one) => ready.has(one),
    close: () => {
      for (const one of checks) clearInterval(one)
      return kill()
    },
  }
}
