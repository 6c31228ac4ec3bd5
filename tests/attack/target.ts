/** The target: a stack of our own on this machine, and nothing else. */
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { type Document, type Endpoint, endpointsOf } from './schema.ts'

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  milliseconds: number
}

export interface Sent {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

/** Longest wait for an answer, in milliseconds; the service promises one within 35 s. */
const PATIENCE = 40_000

export class Target {
  readonly base: URL
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 })

  /** Throws RangeError for an address that is not this machine. */
  constructor(base: string) {
    this.base = new URL(base)
    if (!LOOPBACK.has(this.base.hostname))
      throw new RangeError(`${this.base.hostname} is not this machine: only loopback is attacked`)
  }

  /** Sends exactly this. Rejects when the connection breaks or no answer comes in time. */
  send({ method = 'GET', path, headers = {}, body }: Sent): Promise<Answer> {
    const began = performance.now()
    const { hostname, port } = this.base
    return new Promise((resolve, reject) => {
      const sent = request(
        { host: hostname, port, method, path, headers, agent: this.agent, timeout: PATIENCE },
        (reply) => {
          const pieces: Buffer[] = []
          reply.on('data', (piece: Buffer) => pieces.push(piece))
          reply.on('error', reject)
          reply.on('end', () =>
            resolve({
              status: reply.statusCode ?? 0,
              headers: reply.headers,
              text: Buffer.concat(pieces).toString(),
              milliseconds: performance.now() - began,
            }),
          )
        },
      )
      sent.on('timeout', () => sent.destroy(new Error('no answer in time')))
      sent.on('error', reject)
      sent.end(body)
    })
  }

  /** Sends a value as JSON. */
  json(method: string, path: string, value: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const body = JSON.stringify(value)
    const length = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
    return this.send({ method, path, headers: { ...length, ...headers }, body })
  }

  /** A bare connection, for what no client would send. */
  socket(): Socket {
    const socket = connect(Number(this.base.port), this.base.hostname)
    socket.on('error', () => undefined)
    return socket
  }

  /** Writes bytes and returns what came until the other side closed or fell silent (`silence`, ms). */
  raw(bytes: string | Buffer, silence = 1_000): Promise<string> {
    return new Promise((resolve) => {
      const socket = this.socket()
      let got = ''
      const end = () => (socket.destroy(), resolve(got))
      socket.setTimeout(silence, end)
      socket.on('data', (piece) => (got += piece.toString('latin1')))
      socket.on('close', () => resolve(got))
      socket.end(bytes)
    })
  }

  async endpoints(): Promise<Endpoint[]> {
    const { text } = await this.send({ path: '/api/openapi.json' })
    return endpointsOf(JSON.parse(text) as Document)
  }

  async alive(): Promise<boolean> {
    return this.send({ path: '/healthz' }).then(
      ({ status }) => status === 200,
      () => false,
    )
  }

  close(): void {
    this.agent.destroy()
  }
}
