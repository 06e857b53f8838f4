// Metrics in Prometheus' text format. Three metric types take about a hundred lines, so this needs no library.

import { type MetricDescription, type MetricName, metricTable } from './metric-table.ts'

interface AnsweredRequest {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly durationMs: number
}

export interface Metrics {
  request(answered: AnsweredRequest): void
  attempt(outcome: string, durationMs: number): void
  leaseLost(): void
  /** Adds a value that is read on every scrape. */
  watch(name: ReadMetric, read: () => number): void
  /** The text of `GET /metrics`, including the `readings` of this scrape. */
  toText(readings: Readings): string
}

type RecordedMetric =
  | 'service_http_requests_total'
  | 'service_http_request_seconds'
  | 'service_delivery_attempts_total'
  | 'service_delivery_attempt_seconds'
  | 'service_leases_lost_total'

/** A metric whose value is read on every scrape. */
type ReadMetric = Exclude<MetricName, RecordedMetric>

export type Readings = { readonly [Name in ReadMetric]?: number | Labeled }

interface Labeled {
  readonly labels: LabelValues
  readonly value: number
}

const latencyBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

export function createMetrics(): Metrics {
  const requests = counter('service_http_requests_total')
  const attempts = counter('service_delivery_attempts_total')
  const leasesLost = counter('service_leases_lost_total')
  // Alerts need a value before the first event.
  attempts.add(['ok'], 0)
  leasesLost.add([], 0)
  const latency = histogram('service_delivery_attempt_seconds')
  const answering = histogram('service_http_request_seconds')
  const recorded = new Map<string, () => string[]>(
    [requests, attempts, leasesLost, latency, answering].map(({ name, lines }) => [name, lines]),
  )
  const watched = new Map<string, () => number>()
  return {
    request({ method, route, status, durationMs }) {
      requests.add([knownMethods.has(method) ? method : 'other', route, status])
      answering.add(durationMs / 1000)
    },
    watch: (name, read) => void watched.set(name, read),
    attempt(outcome, durationMs) {
      attempts.add([outcome])
      latency.add(durationMs / 1000)
    },
    leaseLost: () => leasesLost.add([]),
    toText: (readings) =>
      Object.entries<MetricDescription>(metricTable)
        .flatMap(([name, description]) => {
          const samples =
            recorded.get(name)?.() ?? readingLine(name, readings[name as ReadMetric] ?? watched.get(name)?.())
          return samples.length === 0 ? [] : [...head(name, description), ...samples]
        })
        .concat('')
        .join('\n'),
  }
}

/** A caller may send any method; each one would add a line. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** More combinations than routes and statuses can have. Further ones are counted together. */
const maxSeries = 5000

const head = (name: string, { help, type }: MetricDescription) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]

type LabelValues = readonly (string | number)[]

const labelNames = (name: string) => (metricTable as Record<string, MetricDescription>)[name]?.labels ?? []

function readingLine(name: string, reading: number | Labeled | undefined): string[] {
  if (reading === undefined) return []
  const { labels, value } = typeof reading === 'number' ? { labels: [], value: reading } : reading
  return [`${name}${labelText(name, labels)} ${value}`]
}

function counter(name: RecordedMetric) {
  const counts = new Map<string, { readonly values: LabelValues; count: number }>()
  return {
    name,
    add(given: LabelValues, by = 1) {
      const isKnown = counts.size < maxSeries || counts.has(given.join('\n'))
      const values = isKnown ? given : given.map(() => 'other')
      const key = values.join('\n')
      const known = counts.get(key)
      if (known === undefined) counts.set(key, { values, count: by })
      else known.count += by
    },
    lines: () => [...counts.values()].map(({ values, count }) => `${name}${labelText(name, values)} ${count}`),
  }
}

function histogram(name: RecordedMetric) {
  const counts = latencyBuckets.map(() => 0)
  let count = 0
  let sum = 0
  return {
    name,
    add(seconds: number) {
      const bucket = latencyBuckets.findIndex((limit) => seconds <= limit)
      if (bucket >= 0) counts[bucket] = (counts[bucket] ?? 0) + 1
      count += 1
      sum += seconds
    },
    lines() {
      let below = 0
      const buckets = latencyBuckets.map((limit, index) => {
        below += counts[index] ?? 0
        return `${name}_bucket{le="${limit}"} ${below}`
      })
      return [...buckets, `${name}_bucket{le="+Inf"} ${count}`, `${name}_sum ${sum}`, `${name}_count ${count}`]
    },
  }
}

/** `{route="/a",status="200"}`. Backslashes, quotes, and line breaks must be escaped. */
const labelText = (name: string, values: LabelValues) =>
  values.length === 0
    ? ''
    : `{${labelNames(name)
        .map((label, index) => `${label}="${escaped(String(values[index]))}"`)
        .join(',')}}`

const escaped = (value: string) => value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')
