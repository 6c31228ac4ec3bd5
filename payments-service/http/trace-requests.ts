import type { RequestHandler } from 'express'
import { type Tracing, traceparent, within } from '../tracing/tracing.ts'
import { isProbe, routeOf } from './context.ts'

const SERVER = 1
const ERROR = 2

/**
 * A span for each request, by the template of its route. Its answer names it to the page, in the header that recorders
 * of page views read (https://www.w3.org/TR/server-timing/), and what the page asks next is in the same trace, kept or
 * not (src/session/http.ts). Whoever is outside must not say which are kept: any other trace of a caller's is a link.
 */
export function traceRequests(tracing: Tracing): RequestHandler {
  return (req, res, next) => {
    if (isProbe(req.path)) return next()
    const attributes = { 'http.request.method': req.method }
    const span = tracing.start('request', { kind: SERVER, attributes, askedBy: req.headers['traceparent'] })
    res.setHeader('Server-Timing', `traceparent;desc="${traceparent(span)}"`)
    if (!span.isRecording()) return within(span, next)
    res.once('close', () => {
      const route = routeOf(req)
      span.updateName(route === '(none)' ? req.method : `${req.method} ${route}`)
      span.setAttributes({ 'http.route': route, 'http.response.status_code': res.statusCode })
      if (!res.writableFinished) span.setAttribute('error.type', 'cut')
      if (res.statusCode >= 500) span.setStatus({ code: ERROR })
      span.end()
    })
    within(span, next)
  }
}
