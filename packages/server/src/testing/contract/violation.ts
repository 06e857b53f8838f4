import type { SchemaProblem } from './problem.ts'

/** Something that breaks the contract: the caller's request, or the platform's own answer or webhook. */
export interface Violation {
  readonly side: 'request' | 'response' | 'webhook'
  /** As the client calls it, e.g. `tickets.create`; the name of the event for a webhook; else method and path. */
  readonly operation: string
  readonly problems: readonly SchemaProblem[]
}

/** `sequence` is the request's number in the journal. */
export function describeViolation({ side, operation, problems }: Violation, sequence?: number): string {
  const of = sequence === undefined ? '' : ` #${sequence}`
  const whose = side === 'request' ? '' : ' This is a fault of @service/server: please report it.'
  const lines = problems.map(({ at, message }) => `    ${at}: ${message}`)
  return [`The ${side} of ${operation}${of} breaks the contract.${whose}`, ...lines].join('\n')
}
