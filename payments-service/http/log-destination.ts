import { pino, type DestinationStream } from 'pino'

/** Characters of log lines that wait for a slow or full destination; what comes on top is dropped. */
const MOST_WAITING = 1_000_000

/**
 * Writes log lines to a file descriptor without ever waiting for it. A destination that refuses them (a full disk) or
 * does not read them is tried again with each further line; what is too much to keep meanwhile is dropped, and a line
 * says how many were lost once it takes lines again. Never throws and never holds up the end of the process.
 */
export function logDestination(fd = 1): DestinationStream {
  const stream = pino.destination({ dest: fd, sync: false, maxLength: MOST_WAITING })
  const flushSync = stream.flushSync.bind(stream)
  let dropped = 0
  stream.on('drop', () => (dropped += 1))
  // pino writes what waits when the process ends, again and again for as long as the disk is full
  stream.on('error', () => (stream.flushSync = () => undefined))
  stream.on('write', () => {
    stream.flushSync = flushSync
    const lost = dropped
    if (lost === 0) return
    dropped = 0
    const entry = { level: 50, time: new Date().toISOString(), service: 'payments', lost, msg: 'log lines were lost' }
    stream.write(`${JSON.stringify(entry)}\n`)
  })
  return stream
}
