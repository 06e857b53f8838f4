import type { CheckBody } from '../check-schema.ts'
import type { Issue } from '../errors/details.ts'

// The schemas of the contract would include zod, which is as large as everything else here. The responses of the
// inbound webhooks are flat, so a list of names and kinds is enough. A test keeps it equal to the contract.

type Plain = 'string' | 'boolean' | 'true' | 'false' | 'integer' | 'array' | 'object'

/** `?` may be missing. `|null` may be null, and a missing field is read as null. */
type Kind = Plain | `${Plain}?` | `${Plain}|null`

/** The required fields. The platform may add others. */
export type Shape = Readonly<Record<string, Kind>>

/** The shape of a route, or a function that chooses it for a response. */
export type ShapeOf = Shape | ((value: Readonly<Record<string, unknown>>) => Shape)

export const checkShape: CheckBody = (schema, value) => {
  if (!isRecord(value)) return { issues: [createIssue('', 'object', value)] }
  const given = schema as ShapeOf // every schema of an inbound route is one
  const shape = typeof given === 'function' ? given(value) : given
  const data: Record<string, unknown> = { ...value }
  const issues: Issue[] = []
  for (const [field, kind] of Object.entries(shape)) {
    const [plain = '', mayBe] = kind.split(/(?=[?|])/)
    if (mayBe === '|null') data[field] ??= null
    if (data[field] === undefined && mayBe === '?') continue
    if (data[field] === null && mayBe === '|null') continue
    if (!isOfKind(data[field], plain)) issues.push(createIssue(field, plain, data[field]))
  }
  return issues.length > 0 ? { issues } : { data }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => isOfKind(value, 'object')

function isOfKind(value: unknown, plain: string): boolean {
  if (plain === 'integer') return Number.isSafeInteger(value)
  if (plain === 'array') return Array.isArray(value)
  if (value === true || value === false) return plain === 'boolean' || plain === String(value)
  // The names of the other kinds are those of typeof.
  return typeof value === plain && value !== null && !Array.isArray(value)
}

function createIssue(path: string, plain: string, value: unknown): Issue {
  const wrong = value === undefined || value === null ? 'is required' : `must be of type ${plain}`
  return { path, message: `The ${path || 'body'} field ${wrong}.` }
}
