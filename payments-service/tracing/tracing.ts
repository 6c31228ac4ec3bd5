/**
 * Spans of what the service does: of its own making where its parts meet, so that nothing gets into one that nobody put
 * there. Which span is under way is known to what a request or job awaits; without one, nothing is recorded.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, Span, SpanKind } from '@opentelemetry/api'

export interface SpanOptions {
  kind?: SpanKind
  attributes?: Attributes
  /** The span that caused it, as `traceparent` wrote it; else the one under way, else it begins a trace. */
  causedBy?: string | undefined
  /** What a caller says caused it, whatever it says: followed where that is a trace of ours, else a link. */
  askedBy?: unknown
  /** Others that it has to do with, written in the same way. What is none is left out. */
  links?: readonly unknown[]
}

export interface Tracing {
  start(name: string, options?: SpanOptions): Span
  /** Runs work in a span that ends with it. */
  around<Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result>
  /** Hands over what is left, if the collector takes it at once. */
  stop(): Promise<void>
}

const underWay = new AsyncLocalStorage<Span>()

export const spanUnderWay = (): Span | undefined => underWay.getStore()

/** Whether this is part of a trace that is kept. */
export const isRecorded = (): boolean => spanUnderWay()?.isRecording() ?? false

/** Makes it the span under way for all that the work does. */
export const within = <Result>(span: Span, work: () => Result): Result => underWay.run(span, work)

/** The span under way in the words of https://www.w3.org/TR/trace-context/, to be kept beside work for later. */
export function traceparent(span = spanUnderWay()): string | undefined {
  if (!span) return undefined
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`
}
