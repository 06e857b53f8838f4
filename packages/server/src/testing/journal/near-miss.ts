import { inspect } from 'node:util'
import { differencesTo, type ExpectedRequest } from './expected-request.ts'
import { maskNamed } from './mask.ts'
import type { FieldDifference } from './partial-match.ts'
import type { RecordedRequest } from './recorded-request.ts'

/** The request that came closest, and where it differs. */
export interface NearMiss {
  readonly kept: RecordedRequest
  readonly differences: readonly FieldDifference[]
}

// What a request is for says more about which one was meant than a field of its body does.
const weights: Readonly<Record<string, number>> = { operation: 100, path: 60, method: 40, workspace: 20, token: 10 }

const weightOf = ({ field }: FieldDifference) => weights[field] ?? 1

/** Of two that are equally close the later one. */
export function nearMiss(expected: ExpectedRequest, all: readonly RecordedRequest[]): NearMiss | undefined {
  let best: (NearMiss & { readonly distance: number }) | undefined
  for (const recorded of all) {
    const differences = differencesTo(expected, recorded)
    const distance = differences.reduce((sum, each) => sum + weightOf(each), 0)
    if (best === undefined || distance <= best.distance) best = { kept: recorded, differences, distance }
  }
  return best
}

export function describeNearMiss({ kept: recorded, differences }: NearMiss): string {
  const lines = differences.flatMap(({ field, expected, received }) => [
    `  ${field}`,
    `    expected ${show(field, expected)}`,
    `    received ${show(field, received)}`,
  ])
  return [`The closest is ${describeKept(recorded)}; it differs in`, ...lines].join('\n')
}

/** `#2 POST /api/v1/workspaces/1/tickets (tickets.create) → 201` */
export function describeKept({ sequence, method, path, operation, status, failure, fault }: RecordedRequest): string {
  const name = operation === undefined ? '' : ` (${operation.route.operation})`
  const outcome = status ?? failure ?? 'not answered yet'
  return `#${sequence} ${method} ${path}${name} → ${outcome}${fault === undefined ? '' : ` [fault: ${fault}]`}`
}

const mostListed = 10

/** The last requests, one a line. */
export function describeAll(all: readonly RecordedRequest[]): string {
  if (all.length === 0) return 'No request came at all.'
  const shown = all.slice(-mostListed).map((recorded) => `  ${describeKept(recorded)}`)
  const before = all.length > mostListed ? [`  … and ${all.length - mostListed} before`] : []
  return ['These came:', ...before, ...shown].join('\n')
}

const show = (field: string, value: unknown) =>
  inspect(maskNamed(field, value), { breakLength: Number.POSITIVE_INFINITY, depth: 6, maxStringLength: 500 })
