import { omitUndefined } from './omit-undefined.ts'

interface Tracing {
  readonly context: { active(): unknown }
  readonly propagation: { inject(context: unknown, carrier: Record<string, string>): void }
}

let loading: Promise<Tracing | undefined> | undefined

/** Loads `@opentelemetry/api` once, if it is installed. Bundlers leave the import alone, because it is optional. */
const loadTracing = (): Promise<Tracing | undefined> => {
  loading ??= import(/* webpackIgnore: true */ /* @vite-ignore */ '@opentelemetry/api').catch(() => undefined)
  return loading
}

/**
 * The `traceparent` of the active span, unless the caller sets the header. Baggage is not sent, because it may contain
 * personal data.
 */
export async function traceHeaders(headers: Readonly<Record<string, string>>): Promise<{ traceparent?: string }> {
  const tracing = await loadTracing()
  if (!tracing || Object.keys(headers).some((name) => name.toLowerCase() === 'traceparent')) return {}
  const carrier: { traceparent?: string } & Record<string, string> = {}
  try {
    tracing.propagation.inject(tracing.context.active(), carrier)
  } catch {
    // A broken propagator must not break the call.
  }
  return omitUndefined({ traceparent: carrier.traceparent })
}
