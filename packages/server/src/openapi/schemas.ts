import * as contract from '@service/contract'
import { type EventName, eventNames, eventSchemas } from '@service/contract'
import { fieldForms } from '@service/contract/field-forms'
import type * as z from 'zod/mini'
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

/** The component that describes an event's body: `ticket.created` → `TicketCreatedEvent`. */
export function eventSchemaName(event: EventName): string {
  const words = event.split('.').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Event`
}

const isSchema = (value: unknown): value is z.ZodMiniType =>
  typeof value === 'object' && value !== null && '_zod' in value

/** The schemas that modules export under a capital name. */
export const schemasOf = (...modules: readonly object[]): Record<string, z.ZodMiniType> =>
  Object.fromEntries(
    modules
      .flatMap((module) => Object.entries(module))
      .flatMap(([name, value]) => (/^[A-Z]/.test(name) && isSchema(value) ? [[name, value]] : [])),
  )

/**
 * Every schema that the contract exports under a capital name, and the seven event bodies. The document refers to them
 * by name, so that a code generator gives them the names that the client's types have.
 */
export const namedSchemas: Readonly<Record<string, z.ZodMiniType>> = {
  ...schemasOf(contract),
  ...Object.fromEntries(eventNames.map((event) => [eventSchemaName(event), eventSchemas[event]])),
}

/** Example values under short names such as `title-only`. */
export type Values = Readonly<Record<string, unknown>>

/** The form that OpenAPI gives to examples; `title-only` is shown as "Title only". */
export function examplesOf(values: Values): Record<string, { summary: string; value: unknown }> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { summary: titleOf(name), value }]))
}

function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
