/**
 * Requests as browsers send them: over connections that are kept. One that the other side ended before the first byte
 * of an answer is replaced by a new one without a word, whatever the method (RFC 9112, 9.3.1, asks less of them;
 * Chromium, Firefox and WebKit do it). A new connection that breaks is an error.
 */
import { Agent, request } from 'node:https'
import type { Sending } from '../faults/buyer.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** How many kept connections were found to be over. */
export const replaced = { count: 0 }

export async function browserFetch(url: string, init: Sending): Promise<Response> {
  for (;;) {
    try {
      return await attempt(url, init)
    } catch (error) {
      if (!(error instanceof KeptConnectionOver)) throw error
      replaced.count++
    }
  }
}

class KeptConnectionOver extends Error {}

function attempt(url: string, { method, headers, body, signal }: Sending): Promise<Response> {
  return new Promise((done, fail) => {
    const sent = request(url, { agent, method, headers, signal }, (reply) => {
      const parts: Buffer[] = []
      reply.on('data', (part: Buffer) => parts.push(part))
      reply.on('error', fail)
      reply.on('end', () => {
        const told = new Headers()
        for (const [name, values] of Object.entries(reply.headersDistinct))
          for (const value of values ?? []) told.append(name, value)
        const status = reply.statusCode ?? 0
        done(new Response(status === 204 ? null : Buffer.concat(parts), { status, headers: told }))
      })
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const over = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      fail(over ? new KeptConnectionOver() : error)
    })
    sent.end(body)
  })
}
