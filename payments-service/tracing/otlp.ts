/**
 * The SDK of OpenTelemetry behind `Tracing`; loaded only where traces are wanted. Registers nothing for the whole
 * process: libraries that look for a tracer would put into spans what we do not know.
 */
import { randomBytes } from 'node:crypto'
import {
  type Context,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { ownTraces } from './own-traces.ts'
import { spanUnderWay, type Tracing, within } from './tracing.ts'

export interface TracesTarget {
  /** Where OTLP is taken over HTTP, without `/v1/traces`. */
  endpoint: string
  headers: Readonly<Record<string, string>>
  serviceName: string
  /** Share of the traces that is kept, 0 to 1. */
  share: number
}

/** Milliseconds that the end waits for a collector: an end must not take longer for it. */
const LAST_WAIT = 500

const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-[\da-f]([\da-f])$/

function readTraceparent(text: unknown): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = '0'] = (typeof text === 'string' && TRACEPARENT.exec(text)) || []
  const found = { traceId, spanId, traceFlags: parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(found) ? found : undefined
}

const linksTo = (others: readonly unknown[]): Link[] =>
  others.flatMap((text) => {
    const context = readTraceparent(text)
    return context ? [{ context }] : []
  })

/**
 * `keys`: what signs the ids of traces, the first now, all count. `note` is told when the collector stops taking
 * traces, and when it takes them again.
 */
export function createTracing(
  target: TracesTarget,
  keys: readonly string[],
  note: (taken: boolean, why?: Error) => void,
): Tracing {
  const own = ownTraces(keys)
  const exporter = new OTLPTraceExporter({ url: `${target.endpoint}/v1/traces`, headers: { ...target.headers } })
  const resource = defaultResource()
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes({ 'service.name': target.serviceName }))
  // by the id alone: a caller's flag says nothing
  const root = new TraceIdRatioBasedSampler(target.share)
  const provider = new TracerProvider({
    resource,
    idGenerator: { generateTraceId: own.make, generateSpanId: () => randomBytes(8).toString('hex') },
    sampler: new ParentBasedSampler({ root, remoteParentSampled: root, remoteParentNotSampled: root }),
    spanProcessors: [new BatchSpanProcessor({ exporter: noting(exporter, note) })],
  })
  const tracer = provider.getTracer('eye-funnel')

  const parentOf = (causedBy: string | undefined): Context => {
    const remote = readTraceparent(causedBy)
    if (remote) return trace.setSpanContext(ROOT_CONTEXT, remote)
    const span = spanUnderWay()
    return span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT
  }
  const start: Tracing['start'] = (name, { causedBy, askedBy, links = [], ...rest } = {}) => {
    const asked = readTraceparent(askedBy)
    const followed = asked && own.isOurs(asked.traceId)
    const linked = linksTo(followed ? links : [askedBy, ...links])
    return tracer.startSpan(name, { ...rest, links: linked }, parentOf(followed ? String(askedBy) : causedBy))
  }

  return {
    start,
    async around(name, options, work) {
      const span = start(name, options)
      try {
        return await within(span, () => work(span))
      } catch (error) {
        // its kind alone: messages name people
        span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    },
    async stop() {
      const late = new Promise<void>((resume) => void setTimeout(resume, LAST_WAIT).unref())
      // a collector that is away costs the traces alone
      await Promise.race([provider.shutdown().catch(() => undefined), late])
    },
  }
}

/** The exporter, which says once when it begins to fail and once when it is over. */
function noting(exporter: SpanExporter, note: (taken: boolean, why?: Error) => void): SpanExporter {
  let taken = true
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const now = result.code === 0
        if (now !== taken) note(now, result.error)
        taken = now
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}
