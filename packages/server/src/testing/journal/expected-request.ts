import { inspect } from 'node:util'
import { keysOf } from '../../core/known-keys.ts'
import { checkMatch, fits, matchNames, type RequestMatch } from '../request-match.ts'
import { hintOf, maskSecrets } from './mask.ts'
import { type FieldDifference, partialDifferences } from './partial-match.ts'
import { bodyOf, type RecordedRequest } from './recorded-request.ts'

/** A request that a test asks for. */
export interface ExpectedRequest extends RequestMatch {
  /** What the JSON body must have at least; expressions and matchers such as `expect.any(String)` may stand in it. */
  readonly body?: unknown
  /** Of the answer. Who asks for a refusal by its status has expected it: it is no mistake any more. */
  readonly status?: number | undefined
}

const expectedNames = [
  ...matchNames,
  ...keysOf<Omit<ExpectedRequest, keyof RequestMatch>>({ body: true, status: true }),
]

/** Throws a TypeError for what no request can ever fit. */
export const checkExpected = (expected: ExpectedRequest): void => checkMatch(expected, expectedNames)

export function isExpected(expected: ExpectedRequest, recorded: RecordedRequest): boolean {
  return (
    fits(expected, recorded) &&
    (expected.status === undefined || expected.status === recorded.status) &&
    (expected.body === undefined || partialDifferences(expected.body, bodyOf(recorded), 'body').length === 0)
  )
}

/** Field by field, the most telling first. */
export function differencesTo(expected: ExpectedRequest, recorded: RecordedRequest): FieldDifference[] {
  const { body, status, headers = {}, token, ...rest } = expected
  const simple: readonly (readonly [keyof typeof rest, unknown])[] = [
    ['operation', recorded.operation?.route.operation],
    ['method', recorded.method],
    ['path', recorded.path],
    ['workspace', recorded.operation?.workspaceId],
  ]
  const wanted = { ...rest, ...(rest.method === undefined ? {} : { method: rest.method.toUpperCase() }) }
  return [
    ...simple.flatMap(([field, received]) =>
      wanted[field] === undefined ? [] : partialDifferences(wanted[field], received, field),
    ),
    ...Object.entries(headers).flatMap(([name, value]) =>
      partialDifferences(value, recorded.request.headers.get(name), `headers.${name}`),
    ),
    ...(token === undefined || fits({ token }, recorded) ? [] : [tokenDifference(token, recorded)]),
    ...(status === undefined ? [] : partialDifferences(status, recorded.status, 'status')),
    ...(body === undefined ? [] : partialDifferences(body, bodyOf(recorded), 'body')),
  ]
}

function tokenDifference(token: string, { request }: RecordedRequest): FieldDifference {
  const sent = request.headers.get('authorization')
  return { field: 'token', expected: hintOf(token), received: sent === null ? undefined : hintOf(sent) }
}

/** One line, for messages. */
export function describeExpected({ token, ...expected }: ExpectedRequest): string {
  const shown = { ...Object(maskSecrets(expected)), ...(token === undefined ? {} : { token: hintOf(token) }) }
  return inspect(shown, { breakLength: Number.POSITIVE_INFINITY, depth: 6 })
}
