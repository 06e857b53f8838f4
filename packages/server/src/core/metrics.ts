// Metrics in Prometheus' text format. Three metric types take about a hundred lines, so this needs no library.

interface AnsweredRequest {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly durationMs: number
}

export interface Metrics {
  request(answered: AnsweredRequest): void
  attempt(outcome: string, durationMs: number): void
  /** Adds a gauge that is read on every scrape. */
  watch(name: string, help: string, read: () => number): void
  /** The text of `GET /metrics`, including `gauges`. */
  toText(gauges: Readonly<Record<string, Gauge>>): string
}

export interface Gauge {
  readonly help: string
  readonly value: number
}

const latencyBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

export function createMetrics(): Metrics {
  const requests = counter('service_http_requests_total', 'HTTP requests by route and status.', [
    'method',
    'route',
    'status',
  ])
  const attempts = counter('service_delivery_attempts_total', 'Webhook delivery attempts by outcome.', ['outcome'])
  const latency = histogram('service_delivery_attempt_seconds', 'Duration of webhook delivery attempts.')
  const answering = histogram('service_http_request_seconds', 'Duration of HTTP requests.')
  const watched = new Map<string, { readonly help: string; readonly read: () => number }>()
  return {
    request({ method, route, status, durationMs }) {
      requests.add([method, route, status])
      answering.add(durationMs / 1000)
    },
    watch: (name, help, read) => void watched.set(name, { help, read }),
    attempt(outcome, durationMs) {
      attempts.add([outcome])
      latency.add(durationMs / 1000)
    },
    toText: (gauges) =>
      [
        ...requests.lines(),
        ...attempts.lines(),
        ...answering.lines(),
        ...latency.lines(),
        ...Object.entries(gauges).flatMap(([name, { help, value }]) => gaugeLines(name, help, value)),
        ...[...watched].flatMap(([name, { help, read }]) => gaugeLines(name, help, read())),
        '',
      ].join('\n'),
  }
}

const gaugeLines = (name: string, help: string, value: number) => [...head(name, help, 'gauge'), `${name} ${value}`]

const head = (name: string, help: string, type: string) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]

type LabelValues = readonly (string | number)[]

function counter(name: string, help: string, labelNames: readonly string[]) {
  const counts = new Map<string, { readonly values: LabelValues; count: number }>()
  return {
    add(values: LabelValues) {
      const key = values.join('\n')
      const known = counts.get(key)
      if (known === undefined) counts.set(key, { values, count: 1 })
      else known.count += 1
    },
    lines: () => [
      ...head(name, help, 'counter'),
      ...[...counts.values()].map(({ values, count }) => `${name}${labelText(labelNames, values)} ${count}`),
    ],
  }
}

function histogram(name: string, help: string) {
  const counts = latencyBuckets.map(() => 0)
  let count = 0
  let sum = 0
  return {
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
      return [
        ...head(name, help, 'histogram'),
        ...buckets,
        `${name}_bucket{le="+Inf"} ${count}`,
        `${name}_sum ${sum}`,
        `${name}_count ${count}`,
      ]
    },
  }
}

/** `{route="/a",status="200"}`. Backslashes, quotes, and line breaks must be escaped. */
const labelText = (names: readonly string[], values: LabelValues) =>
  `{${names.map((name, index) => `${name}="${escaped(String(values[index]))}"`).join(',')}}`

const escaped = (value: string) => value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')
