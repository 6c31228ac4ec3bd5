import { createServer, type Server } from 'node:http'
import { collectDefaultMetrics } from 'prom-client'
import type { Metrics } from './metrics.ts'

/** Serves GET /metrics and nothing else: on a port of its own, which no proxy leads to. */
export function createMetricsServer(metrics: Metrics): Server {
  // memory, processor time, event loop: watched only where metrics are served
  collectDefaultMetrics({ register: metrics.registry })
  return createServer((req, res) => {
    const path = req.url?.split('?', 1)[0]
    if (req.method !== 'GET' || path !== '/metrics') {
      res.writeHead(404).end()
      return
    }
    metrics.text().then(
      (text) =>
        res.writeHead(200, { 'Content-Type': metrics.registry.contentType, 'Cache-Control': 'no-store' }).end(text),
      () => res.writeHead(500).end(),
    )
  })
}
