import { inspect } from 'node:util'
import { differencesTo, type ExpectedRequest } from './expected-request.ts'
import type { Kept } from './kept.ts'
import { maskSecrets } from './mask.ts'
import type { Difference } from './partly.ts'

/** The request that came closest, and where it differs. */
export interface NearMiss {
  readonly kept: Kept
  readonly differences: readonly Difference[]
}

// What a request is for says more about which one was meant than a field of its body does.
const weights: Readonly<Record<string, number>> = { operation: 100, path: 60, method: 40, workspace: 20, token: 10 }

const weightOf = ({ field }: Difference) => weights[field] ?? 1

/** Of two that are equally close the later one. */
export function nearMiss(expected: ExpectedRequest, all: readonly Kept[]): NearMiss | undefined {
  let best: (NearMiss & { readonly distance: number }) | undefined
  for (const kept of all) {
    const differences = differencesTo(expected, kept)
    const distance = differences.reduce((sum, each) => sum + weightOf(each), 0)
    if (best === undefined || distance <= best.distance) best = { kept, differences, distance }
  }
  return best
}

export function describeNearMiss({ kept, differences }: NearMiss): string {
  const lines = differences.flatMap(({ field, expected, received }) => [
    `  ${field}`,
    `    expected ${show(expected)}`,
    `    received ${show(received)}`,
  ])
  return [`The closest is ${describeKept(kept)}; it differs in`, ...lines].join('\n')
}

/** `#2 POST /api/v1/workspaces/1/tickets (tickets.create) → 201` */
export function describeKept({ sequence, method, path, operation, status, failure, fault }: Kept): string {
  const name = operation === undefined ? '' : ` (${operation.route.operation})`
  const outcome = status ?? failure ?? 'not answered yet'
  return `#${sequence} ${method} ${path}${name} → ${outcome}${fault === undefined ? '' : ` [fault: ${fault}]`}`
}

const mostListed = 10

/** The last requests, one a line. */
export function describeAll(all: readonly Kept[]): string {
  if (all.length === 0) return 'No request came at all.'
  const shown = all.slice(-mostListed).map((kept) => `  ${describeKept(kept)}`)
  const before = all.length > mostListed ? [`  … and ${all.length - mostListed} before`] : []
  return ['These came:', ...before, ...shown].join('\n')
}

const show = (value: unknown) =>
  inspect(maskSecrets(value), { breakLength: Number.POSITIVE_INFINITY, depth: 6, maxStringLength: 500 })
