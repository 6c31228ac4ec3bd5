/** Safeguards for every HTTP listener of the product. */
import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Milliseconds that an idle connection stays open: longer than balancers (60 s) and HTTP clients keep one, so that none
 * sends a request while we close it.
 */
export const KEEP_ALIVE = 75_000

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown

/**
 * Keeps a listener alive when its handler fails: a thrown error or rejection is logged and answered with 500; uncaught
 * it would end the program for everybody. If a file disappears while it is sent (a build was replaced), that answer is
 * cut off.
 */
export function guarded(handle: Handle): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const failed = (error: unknown): void => {
      console.error(error)
      if (response.headersSent) return void response.destroy()
      response.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
      response.end('This could not be answered; the reason is in the log.\n')
    }
    response.on('pipe', (source) => source.on('error', failed))
    try {
      Promise.resolve(handle(request, response)).catch(failed)
    } catch (error) {
      failed(error)
    }
  }
}

/**
 * Whether a Host header names this program: localhost, an IP address, or one of `allowed`. Another site can point its
 * own name at 127.0.0.1 and read the answers as its own (DNS rebinding), but the browser then sends that name.
 */
export function isOwnHost(host: string | undefined, allowed: readonly string[] = []): boolean {
  const name = (host ?? '').toLowerCase().replace(/:\d*$/, '')
  if (/^([\w-]+\.)*localhost$/.test(name) || /^(\d{1,3}\.){3}\d{1,3}$/.test(name) || /^\[[\da-f:.]+\]$/.test(name)) {
    return true
  }
  return allowed.includes(name)
}

/** Whether a server that listens on `host` can only be reached from this machine. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host)
}

/**
 * A guarded listener for programs that serve one machine or editors: it answers only to its own names (421 for others),
 * and no page may frame it. A handler that sets its own Content-Security-Policy has to name `frame-ancestors` there.
 */
export function ownNamesOnly(
  handle: Handle,
  allowed: readonly string[] = [],
): (request: IncomingMessage, response: ServerResponse) => void {
  return guarded((request, response) => {
    response.setHeader('X-Content-Type-Options', 'nosniff')
    response.setHeader('Content-Security-Policy', "frame-ancestors 'none'")
    if (isOwnHost(request.headers.host, allowed)) return handle(request, response)
    response.writeHead(421, { 'Content-Type': 'text/plain; charset=utf-8' })
    response.end('This program does not answer to that name.\n')
  })
}
