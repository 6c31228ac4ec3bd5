/** A stream of server-sent events: limited in number and in unsent data, kept alive, cleaned up when it ends. */
import { httpError } from './errors.ts'
import type { Call } from './http.ts'

export type Stream = {
  send: (event: string, data: unknown, id?: string) => void
  onClose: (then: () => void) => void
}

const MAX_STREAMS = 500
const MAX_WAITING = 16 * 1024 * 1024
const HEARTBEAT_MS = 15_000
let open = 0

/** Answers the call with an event stream. Throws 429 when too many are open. */
export function openStream({ req, res }: Call): Stream {
  if (open >= MAX_STREAMS) throw httpError(429, 'Too Many Requests', 'Too many event streams are open')
  open++
  req.socket.setNoDelay(true)
  res.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
  const write = (text: string) => {
    // A client that does not read is disconnected; it reconnects by itself.
    if (res.writableLength > MAX_WAITING) res.destroy()
    else if (!res.writableEnded) res.write(text)
  }
  const beat = setInterval(() => write(':\n\n'), HEARTBEAT_MS)
  // `req` closes as soon as it is read; the stream ends when `res` does.
  res.on('close', () => {
    clearInterval(beat)
    open--
  })
  write('retry: 1000\n:\n\n')
  return {
    send: (event, data, id) => write(`event: ${event}\n${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(data)}\n\n`),
    onClose: (then) => {
      if (res.destroyed) then()
      else res.on('close', then)
    },
  }
}
