import { inspect } from 'node:util'
import { keysOf } from '../../core/known-keys.ts'
import { checkMatch, fits, matchNames, type RequestMatch } from '../observed-request.ts'
import { bodyOf, type RecordedRequest } from './journal-entry.ts'
import { maskNamed, maskSecrets, toHint } from './mask.ts'

/** A request that a test expects. */
export interface ExpectedRequest extends RequestMatch {
  /** The JSON body must contain this. Regular expressions and matchers such as `expect.any(String)` are allowed. */
  readonly body?: unknown
  /** The response status. An error that a test expects by its status is not reported as unexpected. */
  readonly status?: number | undefined
}

const expectedNames = [
  ...matchNames,
  ...keysOf<Omit<ExpectedRequest, keyof RequestMatch>>({ body: true, status: true }),
]

/** Throws a TypeError for an expectation that no request can match. */
export const checkExpected = (expected: ExpectedRequest): void => checkMatch(expected, expectedNames)

export function isExpected(expected: ExpectedRequest, recorded: RecordedRequest): boolean {
  return (
    fits(expected, recorded) &&
    (expected.status === undefined || expected.status === recorded.status) &&
    (expected.body === undefined || partialDifferences(expected.body, bodyOf(recorded), 'body').length === 0)
  )
}

/** Compares field by field, most significant first. */
function differencesTo(expected: ExpectedRequest, recorded: RecordedRequest): FieldDifference[] {
  const { operation, request } = recorded
  const fields: readonly (readonly [field: string, expected: unknown, received: unknown])[] = [
    ['operation', expected.operation, operation?.route.operation],
    ['method', expected.method?.toUpperCase(), recorded.method],
    ['path', expected.path, recorded.path],
    ['workspace', expected.workspace, operation?.workspaceId],
    ...Object.entries(expected.headers ?? {}).map(
      ([name, value]) => [`headers.${name}`, value, request.headers.get(name)] as const,
    ),
    ['status', expected.status, recorded.status],
  ]
  return [
    ...fields.flatMap(([field, value, received]) =>
      value === undefined ? [] : partialDifferences(value, received, field),
    ),
    ...tokenDifferences(expected.token, recorded),
    ...(expected.body === undefined ? [] : partialDifferences(expected.body, bodyOf(recorded), 'body')),
  ]
}

function tokenDifferences(token: string | undefined, recorded: RecordedRequest): FieldDifference[] {
  if (token === undefined || fits({ token }, recorded)) return []
  const sent = recorded.request.headers.get('authorization')
  return [{ field: 'token', expected: toHint(token), received: sent === null ? undefined : toHint(sent) }]
}

/** One line, for messages. */
export function describeExpected({ token, ...expected }: ExpectedRequest): string {
  const shown = { ...Object(maskSecrets(expected)), ...(token === undefined ? {} : { token: toHint(token) }) }
  return inspect(shown, { breakLength: Number.POSITIVE_INFINITY, depth: 6 })
}

/** A difference between an expected and a received value. */
export interface FieldDifference {
  /** For example `status` or `body.tags[0]`. */
  readonly field: string
  readonly expected: unknown
  readonly received: unknown
}

interface Asymmetric {
  asymmetricMatch(value: unknown): boolean
}

/**
 * Compares an expectation with a value. Objects may have more keys; lists must match in full. A regular
 * expression must match the text, and matchers such as `expect.any(String)` are called.
 */
export function partialDifferences(expected: unknown, received: unknown, field: string): FieldDifference[] {
  if (isAsymmetric(expected)) return expected.asymmetricMatch(received) ? [] : [{ field, expected, received }]
  if (expected instanceof RegExp) {
    return typeof received === 'string' && expected.test(received) ? [] : [{ field, expected, received }]
  }
  if (Array.isArray(expected)) return listDifferences(expected, received, field)
  if (isObject(expected)) return objectDifferences(expected, received, field)
  return Object.is(expected, received) ? [] : [{ field, expected, received }]
}

function listDifferences(expected: readonly unknown[], received: unknown, field: string): FieldDifference[] {
  if (!Array.isArray(received) || received.length !== expected.length) return [{ field, expected, received }]
  return expected.flatMap((each, index) => partialDifferences(each, received[index], `${field}[${index}]`))
}

function objectDifferences(expected: object, received: unknown, field: string): FieldDifference[] {
  if (!isObject(received) || Array.isArray(received)) return [{ field, expected, received }]
  const values = new Map<string, unknown>(Object.entries(received))
  return Object.entries(expected).flatMap(([key, each]) => partialDifferences(each, values.get(key), `${field}.${key}`))
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isAsymmetric = (value: unknown): value is Asymmetric =>
  isObject(value) && 'asymmetricMatch' in value && typeof value.asymmetricMatch === 'function'

/** The closest request and its differences. */
export interface NearMiss {
  readonly recorded: RecordedRequest
  readonly differences: readonly FieldDifference[]
}

// The operation and method identify the intended request better than body fields.
const weights: Readonly<Record<string, number>> = { operation: 100, path: 60, method: 40, workspace: 20, token: 10 }

const weightOf = ({ field }: FieldDifference) => weights[field] ?? 1

/** Of equally close requests, the later one. */
export function nearMiss(expected: ExpectedRequest, all: readonly RecordedRequest[]): NearMiss | undefined {
  let best: (NearMiss & { readonly distance: number }) | undefined
  for (const recorded of all) {
    const differences = differencesTo(expected, recorded)
    const distance = differences.reduce((sum, each) => sum + weightOf(each), 0)
    if (best === undefined || distance <= best.distance) best = { recorded, differences, distance }
  }
  return best
}

export function describeNearMiss({ recorded, differences }: NearMiss): string {
  return [`The closest is ${describeRecorded(recorded)}; it differs in`, ...describeDifferences(differences)].join('\n')
}

/** Three lines per difference. */
export const describeDifferences = (differences: readonly FieldDifference[]): string[] =>
  differences.flatMap(({ field, expected, received }) => [
    `  ${field}`,
    `    expected ${show(field, expected)}`,
    `    received ${show(field, received)}`,
  ])

/** `#2 POST /api/v1/workspaces/1/tickets (tickets.create) → 201` */
export const describeRecorded = ({ operation, status, failure, ...recorded }: RecordedRequest): string =>
  describeCall({ ...recorded, operation: operation?.route.operation, outcome: status ?? failure })

interface Call {
  readonly sequence: number
  readonly method: string
  readonly path: string
  readonly operation: string | undefined
  /** The status or error; undefined while the request is in flight. */
  readonly outcome: string | number | undefined
  readonly fault?: string | undefined
}

export function describeCall({ sequence, method, path, operation, outcome, fault }: Call): string {
  const name = operation === undefined ? '' : ` (${operation})`
  return `#${sequence} ${method} ${path}${name} → ${outcome ?? 'no response yet'}${fault === undefined ? '' : ` [fault: ${fault}]`}`
}

const maxListed = 10

/** The last requests, one per line. */
export function describeAll(all: readonly RecordedRequest[]): string {
  if (all.length === 0) return 'No requests were received.'
  const shown = all.slice(-maxListed).map((recorded) => `  ${describeRecorded(recorded)}`)
  const before = all.length > maxListed ? [`  … and ${all.length - maxListed} before`] : []
  return ['Received:', ...before, ...shown].join('\n')
}

const show = (field: string, value: unknown) =>
  inspect(maskNamed(field, value), { breakLength: Number.POSITIVE_INFINITY, depth: 6, maxStringLength: 500 })
