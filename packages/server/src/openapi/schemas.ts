import * as contract from '@service/contract'
import { type EventName, eventNames, eventSchemas, visibleCharacter } from '@service/contract'
import { fieldForms } from '@service/contract/field-forms'
import type * as z from 'zod/mini'
import type { ZodOpenApiOverride } from 'zod-openapi'

type Context = Parameters<Extract<ZodOpenApiOverride, (context: never) => unknown>>[0]
type JsonSchema = Context['jsonSchema']

/**
 * Simplifies the JSON Schema from zod: removes bounds that only mean "fits a double" and `additionalProperties` of
 * responses, writes nullable types as a list of two, and keeps one pattern instead of three.
 */
export function toPlainSchema({ jsonSchema, zodSchema }: Context): void {
  const { def } = zodSchema._zod
  Object.assign(jsonSchema, fieldForms.get(zodSchema))
  if (def.type === 'object') describeObject(jsonSchema, def.shape)
  if (def.type === 'record') delete jsonSchema.propertyNames
  // `orNull` defaults missing response fields to null. Our server never omits them, so the default is not documented.
  if (jsonSchema.default === null) delete jsonSchema.default
  // Linters require the items of every array to be described: a tuple has no further ones.
  if (jsonSchema.items === false) jsonSchema.items = { not: {} }
  mergeNull(jsonSchema)
  if (hasType(jsonSchema, 'integer')) removeDoubleBounds(jsonSchema)
  if (hasType(jsonSchema, 'string')) simplifyPattern(jsonSchema)
}

type Shape = Extract<Context['zodSchema'], { _zod: { def: { type: 'object' } } }>['_zod']['def']['shape']

/**
 * JSON Schema allows additional keys by default; an object without known keys states it explicitly. A nullable field is
 * always present, so it is required. With zod's own rule the generator would create two forms of each schema, one for
 * requests and one for responses.
 */
function describeObject(schema: JsonSchema, shape: Shape): void {
  const required = Object.keys(shape).filter((key) => shape[key]?._zod.optout === undefined && !hasDefault(shape[key]))
  delete schema.additionalProperties
  delete schema.required
  if (required.length > 0) schema.required = required
  if (Object.keys(shape).length === 0) schema.additionalProperties = true
}

/** Whether the server fills in a field of a request body. `orNull` of a response does not count. */
function hasDefault(field: Shape[string] | undefined): boolean {
  const def = field?._zod.def
  return def?.type === 'default' && 'defaultValue' in def && def.defaultValue !== null
}

function mergeNull(schema: JsonSchema): void {
  const [first, second, ...more] = schema.anyOf ?? []
  if (first === undefined || second?.type !== 'null' || more.length > 0 || typeof first.type !== 'string') return
  delete schema.anyOf
  Object.assign(schema, first, { type: [first.type, 'null'] })
  if (first.enum !== undefined) schema.enum = [...first.enum, null]
}

const hasType = ({ type }: JsonSchema, name: 'integer' | 'string') =>
  type === name || (Array.isArray(type) && type.some((one) => one === name))

function removeDoubleBounds(schema: JsonSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.exclusiveMinimum !== 0) return
  delete schema.exclusiveMinimum
  schema.minimum = 1
}

/** Keeps "not blank", in a form that every tool can read. The expression for e-mail addresses is omitted, and the introduction mentions NUL once. */
function simplifyPattern(schema: JsonSchema): void {
  const patterns = [schema.pattern, ...(schema.allOf ?? []).map((part) => part.pattern)]
  if (schema.allOf?.every((part) => Object.keys(part).join() === 'pattern')) delete schema.allOf
  if (schema.format !== undefined || patterns.some((pattern) => pattern?.includes('\\u0000'))) delete schema.pattern
  if (!patterns.includes(visibleCharacter.source)) return
  schema.pattern = '\\S'
  schema.minLength = 1
}

/** The component for an event's body: `ticket.created` → `TicketCreatedEvent`. */
export function eventSchemaName(event: EventName): string {
  const words = event.split('.').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Event`
}

const isSchema = (value: unknown): value is z.ZodMiniType =>
  typeof value === 'object' && value !== null && '_zod' in value

/** The schemas that modules export under a capitalized name. */
export const schemasOf = (...modules: readonly object[]): Record<string, z.ZodMiniType> =>
  Object.fromEntries(
    modules
      .flatMap((module) => Object.entries(module))
      .flatMap(([name, value]) => (/^[A-Z]/.test(name) && isSchema(value) ? [[name, value]] : [])),
  )

/**
 * Every schema that the contract exports under a capitalized name, and the event bodies. The document refers to them by
 * name, so that code generators use the names of the client's types.
 */
export const namedSchemas: Readonly<Record<string, z.ZodMiniType>> = {
  ...schemasOf(contract),
  ...Object.fromEntries(eventNames.map((event) => [eventSchemaName(event), eventSchemas[event]])),
}

/** Example values with short names such as `title-only`. */
export type Values = Readonly<Record<string, unknown>>

/** The OpenAPI form of examples; `title-only` is shown as "Title only". */
export function toExamples(values: Values): Record<string, { summary: string; value: unknown }> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { summary: toTitle(name), value }]))
}

function toTitle(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
