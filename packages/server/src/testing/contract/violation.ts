import { describeIssue } from '@service/contract'
import { didYouMean } from '@service/contract/nearest'
import * as z from 'zod/mini'

/** A contract violation by the caller's request, or by the platform's response or webhook. */
export interface Violation {
  readonly side: 'request' | 'response' | 'webhook'
  /** The client's name of the operation, e.g. `tickets.create`; for a webhook, the event; otherwise method and path. */
  readonly operation: string
  readonly problems: readonly SchemaProblem[]
}

/** The recorded request of a violation. */
interface ViolatingRequest {
  readonly sequence: number
  readonly method: string
  readonly path: string
  readonly operation: string | undefined
  readonly status?: number | undefined
}

/** Names the journaled request or the event, and the remedy. */
export function describeViolation({ side, operation, problems }: Violation, request?: ViolatingRequest): string {
  const lines = problems.map(({ at, message }) => `    ${at}: ${message}`)
  const subject = request === undefined ? operation : describeRequest(request)
  const remedy =
    side === 'request' && request ? remedyFor(request) : 'This is a bug in @service/server: please report it.'
  return [`Contract violation in the ${side} ${subject}`, ...lines, `    ${remedy}`].join('\n')
}

const describeRequest = ({ sequence, method, path, operation, status }: ViolatingRequest) =>
  `#${sequence} ${method} ${path}${operation === undefined ? '' : ` (${operation})`} → ${status ?? 'no answer'}`

/** How a test can mark an intended violation. */
function remedyFor({ method, path, operation, status }: ViolatingRequest): string {
  const off = "turn the check off with contract: 'off'"
  if (status === undefined) return `If the test does this on purpose, ${off}.`
  const match = operation === undefined ? `method: '${method}', path: '${path}'` : `operation: '${operation}'`
  return `If the test does this on purpose, call server.expectRequest({ ${match}, status: ${status} }) after it, or ${off}.`
}

/** A violation and its location. */
export interface SchemaProblem {
  /** A JSONPath, e.g. `$.tags[0]`; or `path`, `query`, or a header name. */
  readonly at: string
  readonly message: string
}

/** The problems of a value. For a union, those of the closest branch. */
export function findProblems(schema: z.ZodMiniType, value: unknown): SchemaProblem[] {
  const { error } = z.safeParse(schema, value, { reportInput: true })
  return error === undefined ? [] : toProblems(error.issues, [], fieldNames(schema))
}

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

function toProblems(issues: readonly Issue[], base: Path, known: readonly string[]): SchemaProblem[] {
  return issues.flatMap((issue): SchemaProblem[] => {
    const path = [...base, ...issue.path]
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey([...path, key], known))
    if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      const [closest = []] = issue.errors.toSorted((a, b) => a.length - b.length)
      return toProblems(closest, path, known)
    }
    return [{ at: toJsonPath(path), message: describeIssue({ ...issue, path: [...path] }) }]
  })
}

function unknownKey(path: Path, known: readonly string[]): SchemaProblem {
  const key = String(path.at(-1))
  const hint = path.length === 1 ? didYouMean(key, known, '"') : ''
  return { at: toJsonPath(path), message: `The contract has no field ${path.map(String).join('.')}.${hint}` }
}

/** The keys of an object schema. */
export function fieldNames(schema: z.ZodMiniType): string[] {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'] // the closed union of zod's own schemas
  return def.type === 'object' ? Object.keys(def.shape) : []
}

const toJsonPath = (path: Path): string =>
  path.reduce<string>((text, key) => text + (typeof key === 'number' ? `[${key}]` : `.${String(key)}`), '$')
