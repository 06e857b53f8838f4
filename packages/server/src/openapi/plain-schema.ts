import { fieldForms } from '@service/contract/field-forms'
import type { ZodOpenApiOverride } from 'zod-openapi'

type Context = Parameters<Extract<ZodOpenApiOverride, (context: never) => unknown>>[0]
type JsonSchema = Context['jsonSchema']

/**
 * What zod says of a schema, in the words that a reader expects: no bounds that only mean "fits a double", no
 * "further keys are fine" on answers, a nullable type as a list of two, and one pattern instead of three.
 */
export function toPlainSchema({ jsonSchema, zodSchema }: Context): void {
  const { def } = zodSchema._zod
  Object.assign(jsonSchema, fieldForms.get(zodSchema))
  if (def.type === 'object') describeKeys(jsonSchema, def.shape)
  if (def.type === 'record') delete jsonSchema.propertyNames
  // `orNull` fills in null when a real server leaves a field out; ours never does, so it is no default for callers.
  if (jsonSchema.default === null) delete jsonSchema.default
  joinNull(jsonSchema)
  if (isOf(jsonSchema, 'integer')) dropDoubleBounds(jsonSchema)
  if (isOf(jsonSchema, 'string')) keepOnePattern(jsonSchema)
}

type Shape = Extract<Context['zodSchema'], { _zod: { def: { type: 'object' } } }>['_zod']['def']['shape']

/**
 * JSON Schema allows further keys unless told otherwise; an object without any known key says it aloud. A field that is
 * null when unset is there all the same, so it is required; with zod's own rule the generator would make a second form
 * of each schema, one for bodies and one for answers.
 */
function describeKeys(schema: JsonSchema, shape: Shape): void {
  const required = Object.keys(shape).filter((key) => shape[key]?._zod.optout === undefined && !hasDefault(shape[key]))
  delete schema.additionalProperties
  delete schema.required
  if (required.length > 0) schema.required = required
  if (Object.keys(shape).length === 0) schema.additionalProperties = true
}

/** A field of a body that the server fills in; `orNull` of an answer is none. */
function hasDefault(field: Shape[string] | undefined): boolean {
  const def = field?._zod.def
  return def?.type === 'default' && 'defaultValue' in def && def.defaultValue !== null
}

function joinNull(schema: JsonSchema): void {
  const [first, second, ...more] = schema.anyOf ?? []
  if (first === undefined || second?.type !== 'null' || more.length > 0 || typeof first.type !== 'string') return
  delete schema.anyOf
  Object.assign(schema, first, { type: [first.type, 'null'] })
  if (first.enum !== undefined) schema.enum = [...first.enum, null]
}

const isOf = ({ type }: JsonSchema, name: 'integer' | 'string') =>
  type === name || (Array.isArray(type) && type.some((one) => one === name))

function dropDoubleBounds(schema: JsonSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.exclusiveMinimum !== 0) return
  delete schema.exclusiveMinimum
  schema.minimum = 1
}

/** "Not blank" is worth telling. The expression behind an e-mail address is not, and NUL is told once, in the introduction. */
function keepOnePattern(schema: JsonSchema): void {
  const patterns = [schema.pattern, ...(schema.allOf ?? []).map((part) => part.pattern)]
  if (schema.allOf?.every((part) => Object.keys(part).join() === 'pattern')) delete schema.allOf
  if (schema.format !== undefined || patterns.some((pattern) => pattern?.includes('\\u0000'))) delete schema.pattern
  if (!patterns.includes('\\S')) return
  schema.pattern = '\\S'
  schema.minLength = 1
}
