import { inspect } from 'node:util'
import { fits, type RequestMatch } from '../request-match.ts'
import { bodyOf, type Kept } from './kept.ts'
import { masked } from './mask.ts'
import { type Difference, partialDifferences } from './partly.ts'

/** A request that a test asks for. */
export interface ExpectedRequest extends RequestMatch {
  /** What the JSON body must have at least; expressions and matchers such as `expect.any(String)` may stand in it. */
  readonly body?: unknown
  /** Of the answer. Who asks for a refusal by its status has expected it: it is no mistake any more. */
  readonly status?: number | undefined
}

export function isExpected(expected: ExpectedRequest, kept: Kept): boolean {
  return (
    fits(expected, kept) &&
    (expected.status === undefined || expected.status === kept.status) &&
    (expected.body === undefined || partialDifferences(expected.body, bodyOf(kept), 'body').length === 0)
  )
}

/** Field by field, the most telling first. */
export function differencesTo(expected: ExpectedRequest, kept: Kept): Difference[] {
  const { body, status, headers = {}, token, ...rest } = expected
  const simple: readonly (readonly [keyof typeof rest, unknown])[] = [
    ['operation', kept.operation?.route.operation],
    ['method', kept.method],
    ['path', kept.path],
    ['workspace', kept.operation?.workspaceId],
  ]
  const wanted = { ...rest, ...(rest.method === undefined ? {} : { method: rest.method.toUpperCase() }) }
  return [
    ...simple.flatMap(([field, received]) =>
      wanted[field] === undefined ? [] : partialDifferences(wanted[field], received, field),
    ),
    ...Object.entries(headers).flatMap(([name, value]) =>
      partialDifferences(value, kept.request.headers.get(name), `headers.${name}`),
    ),
    ...(token === undefined || fits({ token }, kept) ? [] : [tokenDifference(token, kept)]),
    ...(status === undefined ? [] : partialDifferences(status, kept.status, 'status')),
    ...(body === undefined ? [] : partialDifferences(body, bodyOf(kept), 'body')),
  ]
}

const hintOf = (token: string) => `${masked}${token.slice(-4)}`

function tokenDifference(token: string, { request }: Kept): Difference {
  const sent = request.headers.get('authorization')
  return { field: 'token', expected: hintOf(token), received: sent === null ? undefined : hintOf(sent) }
}

/** One line, for messages. */
export function describeExpected({ token, ...expected }: ExpectedRequest): string {
  const shown = { ...expected, ...(token === undefined ? {} : { token: hintOf(token) }) }
  return inspect(shown, { breakLength: Number.POSITIVE_INFINITY, depth: 6 })
}
