import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { version } from './version.ts'

// Spans and the trace context of W3C. OpenTelemetry's API does nothing until the process registers an SDK, which it finds
// through a global symbol, so it works from this package's own copy too.

const tracer = trace.getTracer('@service/server', version)

const validTraceparent = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

/** The `traceparent` header of a request if it is valid. */
export function readTraceparent(headers: Headers): string | undefined {
  const header = headers.get('traceparent')
  return header !== null && validTraceparent.test(header) ? header : undefined
}

/** The `traceparent` of the active span. Baggage is never passed on, because it may contain personal data. */
export function activeTraceparent(): string | undefined {
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent
}

/** The trace of the active span, if the process registered an SDK. */
export const activeTraceId = (): string | undefined => trace.getActiveSpan()?.spanContext().traceId

export const traceIdOf = (traceparent: string | undefined): string | undefined => traceparent?.split('-')[1]

interface TracedRequest {
  readonly method: string
  /** The pattern of the path. */
  readonly route: string
  readonly headers: Headers
}

/** Answers a request in a span, which continues the caller's trace. */
export function traceRequest<Result extends { readonly status: number }>(
  { method, route, headers }: TracedRequest,
  answer: () => Promise<Result>,
): Promise<Result> {
  const attributes = { 'http.request.method': method, 'http.route': route }
  // An embedder may have a span for the request already.
  const parent =
    trace.getActiveSpan() === undefined ? propagation.extract(context.active(), headers, fromHeaders) : context.active()
  return inSpan({ name: `${method} ${route}`, kind: SpanKind.SERVER, attributes, parent }, async (span) => {
    const result = await answer()
    span.setAttribute('http.response.status_code', result.status)
    if (result.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    return result
  })
}

const fromHeaders = {
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
}

/**
 * Runs a transaction in a span if its caller is traced. `begin` gets the work bound to its caller's context, because a
 * group of transactions runs in the context of the first one.
 */
export function traceTransaction<Result>(
  work: () => Promise<Result>,
  begin: (work: () => Promise<Result>) => Promise<Result>,
): Promise<Result> {
  const beginBound = () => begin(context.bind(context.active(), work))
  if (trace.getActiveSpan() === undefined) return beginBound()
  return inSpan({ name: 'transaction', parent: context.active() }, beginBound)
}

interface TracedAttempt {
  readonly event: string
  /** The `traceparent` that is stored with the event. */
  readonly traceparent: string | null
  readonly attributes: Attributes
}

/** Attempts a delivery in a span of its event's trace. `send` gets the `traceparent` for the receiver. */
export function traceAttempt<Outcome extends { readonly kind: string; readonly status: number | null }>(
  { event, traceparent, attributes }: TracedAttempt,
  send: (traceparent: string | null) => Promise<Outcome | undefined>,
): Promise<Outcome | undefined> {
  const parent = propagation.extract(ROOT_CONTEXT, { traceparent: traceparent ?? undefined })
  return inSpan({ name: `deliver ${event}`, kind: SpanKind.CLIENT, attributes, parent }, async (span) => {
    const outcome = await send(activeTraceparent() ?? traceparent)
    if (typeof outcome?.status === 'number') span.setAttribute('http.response.status_code', outcome.status)
    if (outcome !== undefined && outcome.kind !== 'ok') {
      span.setAttribute('error.type', outcome.kind)
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
    return outcome
  })
}

interface NewSpan extends SpanOptions {
  readonly name: string
  readonly parent: Context
}

function inSpan<Result>({ name, parent, ...options }: NewSpan, work: (span: Span) => Promise<Result>): Promise<Result> {
  return tracer.startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work(span)
    } catch (fault) {
      span.recordException(fault instanceof Error ? fault : String(fault))
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw fault
    } finally {
      span.end()
    }
  })
}
