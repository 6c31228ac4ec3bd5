import type { RequestHandler } from 'express'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { isProbe, routeOf } from '../http/context.ts'

/** Seconds; the slowest request that a buyer waits for has a deadline of some 25 (http/deadline.ts). */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** Minutes over which the share of failed requests is taken, and the fewest requests that say something. */
const MINUTES = 5
const FEWEST = 20

interface Minute {
  at: number
  all: number
  failed: number
}

/** Counts requests by the template of their route. Mounted before everything else. */
export function countRequests(registry: Registry): RequestHandler {
  const labelNames = ['method', 'route', 'status'] as const
  const requests = new Counter({
    name: 'funnel_http_requests_total',
    help: 'Requests by route template; status "cut": the visitor did not wait for the answer',
    labelNames,
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'funnel_http_request_duration_seconds',
    help: 'How long requests took, by route template',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers: [registry],
  })
  let minutes: Minute[] = []
  const thisMinute = (): Minute => {
    const at = Math.floor(Date.now() / 60_000)
    minutes = minutes.filter((one) => one.at > at - MINUTES)
    const last = minutes.at(-1)
    if (last?.at === at) return last
    const fresh = { at, all: 0, failed: 0 }
    minutes.push(fresh)
    return fresh
  }
  new Gauge({
    name: 'funnel_http_failed_ratio',
    help: `Share of requests that this replica answered with 5xx in the last ${MINUTES} minutes; 0 below ${FEWEST}`,
    registers: [registry],
    collect() {
      thisMinute()
      const sum = (of: 'all' | 'failed'): number => minutes.reduce((so, minute) => so + minute[of], 0)
      this.set(sum('all') < FEWEST ? 0 : sum('failed') / sum('all'))
    },
  })

  return (req, res, next) => {
    const began = performance.now()
    res.once('close', () => {
      const route = routeOf(req)
      const method = METHODS.has(req.method) ? req.method : 'other'
      requests.inc({ method, route, status: res.writableFinished ? String(res.statusCode) : 'cut' })
      durations.observe({ method, route }, (performance.now() - began) / 1000)
      if (isProbe(route)) return
      const minute = thisMinute()
      minute.all++
      if (res.statusCode >= 500) minute.failed++
    })
    next()
  }
}
