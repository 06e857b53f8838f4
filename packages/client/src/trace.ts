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

/** The `traceparent` of the active span. Baggage is not sent, because it may contain personal data. */
export async function traceHeaders(): Promise<{ traceparent?: string }> {
  const tracing = await loadTracing()
  if (!tracing) return {}
  const carrier: { traceparent?: string } & Record<string, string> = {}
  tracing.propagation.inject(tracing.context.active(), carrier)
  return omitUndefined({ traceparent: carrier.traceparent })
}
