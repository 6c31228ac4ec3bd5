/**
 * Many visitors in a separate process: keep-alive connections with one pending request each, over plain sockets,
 * because a full HTTP client would use as much of the machine as the service being measured.
 */
import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/**
 * `beacon` is what a browser sends with every step of the quiz: how the last look at a page ended, and the next one.
 */
export type Kind = 'session' | 'answer' | 'view' | 'activity' | 'beacon'
export interface Visitor {
  sessionId: string
  cookie: string
  address: string
}
export interface Order {
  kind: Kind
  port: number
  connections: number
  /** For how long, or how many requests in total. */
  seconds?: number
  times?: number
  visitors: Visitor[]
}
/** Rows per second, milliseconds at the 99th percentile, and the sessions that were made. */
export interface Called {
  rate: number
  p99: number
  made: Visitor[]
}

/** Requests made, counted from a random start: two callers never name the same question. */
let made = 100_000_000 + Math.floor(Math.random() * 1_000_000_000)
const address = () => Array.from({ length: 4 }, () => 1 + Math.floor(Math.random() * 250)).join('.')

/** The page view of each session that has not ended. */
const looking = new Map<string, ReturnType<typeof view>>()
const view = (seconds: number, step: string) => ({
  kind: 'page_view',
  id: timedId(),
  url: '/quiz',
  title: 'A title',
  step,
  referrer: '/quiz',
  seconds,
  scrollDepth: 80,
  interactions: 3,
})

/** Path, body, the expected answer, and the number of rows in it. */
function requestOf(kind: Kind, { sessionId }: Visitor): [path: string, body: unknown, answer: string, rows: number] {
  const n = (made++).toString(36).padStart(6, '0')
  if (kind === 'session') {
    return [
      '/api/sessions',
      { clientKey: randomUUID(), attribution: { last: { utm_source: 'bench' } } },
      '"created":true',
      1,
    ]
  }
  if (kind === 'answer') {
    const answers = [{ questionId: `question${n}`, answer: 'More than 8 hours', answeredAt: new Date().toISOString() }]
    return [`/api/sessions/${sessionId}/answers`, { answers }, '{"saved":1}', 1]
  }
  if (kind === 'beacon') {
    const before = looking.get(sessionId)
    const next = view(0, String((made % 33) + 1))
    looking.set(sessionId, next)
    const events = before ? [{ ...before, seconds: 12 }, next] : [next]
    return ['/api/track', { sessionId, events }, `{"accepted":${events.length},"refused":[]}`, events.length]
  }
  const event =
    kind === 'view' ? view(12, '7') : { kind: 'activity', id: timedId(), type: 'clicked', data: { n: 1 }, url: '/quiz' }
  return ['/api/track', { sessionId, events: [event] }, '{"accepted":1,"refused":[]}', 1]
}

/** A UUID version 7, as browsers make them. */
function timedId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** One connection: sends a request and resolves with the whole answer. Rejects when the connection breaks. */
function line(port: number): Promise<{ send(text: string): Promise<string>; socket: Socket }> {
  let resolve: (answer: string) => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  let got = ''
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.setEncoding('latin1')
  socket.on('data', (piece: string) => {
    got += piece
    const head = got.indexOf('\r\n\r\n')
    if (head < 0) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(got)?.[1] ?? 0)
    if (got.length < head + 4 + length) return
    const answer = got
    got = ''
    resolve(answer)
  })
  socket.on('error', (error) => reject(error))
  socket.on('close', () => reject(new Error('the service closed a connection')))
  const send = (text: string) =>
    new Promise<string>((done, fail) => {
      ;[resolve, reject] = [done, fail]
      socket.write(text)
    })
  return new Promise((open) => socket.once('connect', () => open({ send, socket })))
}

async function run(order: Order): Promise<Called> {
  const { kind, port, connections, visitors } = order
  const lines = await Promise.all(Array.from({ length: connections }, () => line(port)))
  const sessions: Visitor[] = []
  const times: number[] = []
  const started = performance.now()
  const end = started + (order.seconds ?? 600) * 1_000
  let left = order.times ?? Infinity
  let stored = 0
  await Promise.all(
    lines.map(async ({ send, socket }) => {
      while (left-- > 0 && performance.now() < end) {
        const visitor = visitors[Math.floor(Math.random() * visitors.length)] ?? {
          sessionId: '',
          cookie: '',
          address: address(),
        }
        const [path, content, wanted, rows] = requestOf(kind, visitor)
        const body = JSON.stringify(content)
        const cookie = visitor.cookie ? `cookie: ${visitor.cookie}\r\n` : ''
        const at = performance.now()
        const answer = await send(
          `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: ` +
            `application/json\r\nx-forwarded-for: ${visitor.address}\r\n${cookie}content-length: ` +
            `${body.length}\r\n\r\n${body}`,
        )
        times.push(performance.now() - at)
        if (!answer.startsWith('HTTP/1.1 200') || !answer.includes(wanted)) throw new Error(answer)
        stored += rows
        if (kind === 'session') {
          const sessionId = /"sessionId":"([^"]+)"/.exec(answer)?.[1] ?? ''
          const held = /\r\nset-cookie: ([^;]+)/i.exec(answer)?.[1] ?? ''
          sessions.push({ sessionId, cookie: held, address: visitor.address })
        }
      }
      socket.removeAllListeners('close').destroy()
    }),
  )
  const seconds = (performance.now() - started) / 1_000
  times.sort((a, b) => a - b)
  return {
    rate: stored / seconds,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
    made: order.times === undefined ? [] : sessions,
  }
}

process.on('message', (order: Order) => {
  run(order).then(
    (called) => process.send?.(called),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
