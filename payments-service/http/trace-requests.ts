import type { RequestHandler } from 'express'
import { type Tracing, traceparent, within } from '../tracing/tracing.ts'
import { isProbe, routeOf } from './context.ts'

const SERVER = 1
const ERROR = 2

/**
 * A span for each request, by the template of its route. It begins a trace: whoever is outside must not say which are
 * kept, so the trace that a caller names is a link. The answer names ours to the page, in the header that recorders of
 * page views read (https://www.w3.org/TR/server-timing/).
 */
export function traceRequests(tracing: Tracing): RequestHandler {
  return (req, res, next) => {
    if (isProbe(req.path)) return next()
    const attributes = { 'http.request.method': req.method }
    const span = tracing.start('request', { kind: SERVER, attributes, links: [req.headers['traceparent']] })
    if (!span.isRecording()) return within(span, next)
    res.setHeader('Server-Timing', `traceparent;desc="${traceparent(span)}"`)
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
