// Describes JSON schemas as markdown lists, which fit narrow screens better than tables.

/** The parts of a schema that the documents use. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly additionalProperties?: boolean | Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
}

export type Schemas = Readonly<Record<string, Schema>>

export interface Context {
  readonly schemas: Schemas
  readonly marked: 'required' | 'optional'
}

/** Deeper objects are shown by the example. */
const maxDepth = 3

/**
 * The fields of an object, of the objects in a list, or of each variant. Nested fields are indented. Bodies of requests
 * mark the required fields, and responses the optional ones.
 */
export function fieldList(schema: Schema, context: Context, depth = 0): string[] {
  const { schemas, marked } = context
  const { properties = {}, required = [], items, anyOf = [] } = resolve(schema, schemas)
  if (depth === maxDepth) return []
  if (items !== undefined) return fieldList(items, context, depth)
  const variants = anyOf.filter(({ type }) => type !== 'null')
  if (variants.length > 0) return [...new Set(variants.flatMap((variant) => fieldList(variant, context, depth)))]
  return Object.entries(properties).flatMap(([name, field]) => {
    const marks = required.includes(name) === (marked === 'required') ? [marked] : []
    const line = `- \`${name}\`: ${describe(field, schemas, marks)}`
    return [line, ...fieldList(field, context, depth + 1).map((each) => `  ${each}`)]
  })
}

/** The type, limits, and description of a field or parameter on one line. */
export function describe(schema: Schema, schemas: Schemas, marks: readonly string[]): string {
  const resolved = resolve(schema, schemas)
  const facts = [typeOf(schema, schemas), ...marks, ...limitsOf(resolved)].join(', ')
  const { description = resolved.description } = schema
  return description === undefined ? facts : `${facts}. ${description}`
}

export function resolve(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (schemas[name] ?? {})
}

function typeOf(schema: Schema, schemas: Schemas): string {
  const { type, items, anyOf, enum: values, const: constant, format } = resolve(schema, schemas)
  if (constant !== undefined) return code(constant)
  if (values !== undefined) return values.map(code).join(' or ')
  if (anyOf !== undefined) return [...new Set(anyOf.map((each) => typeOf(each, schemas)))].join(' or ')
  if (items !== undefined) return `list of ${typeOf(items, schemas)}`
  const types = type === undefined ? 'any value' : [type].flat().join(' or ')
  return format === undefined ? types : `${types} (${format})`
}

const code = (value: unknown): string => `\`${JSON.stringify(value)}\``

function limitsOf({ minimum, maximum, minLength, maxLength, maxItems, default: initial }: Schema): string[] {
  return [
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(undefined, maxItems, ' entries'),
    ...(initial === undefined ? [] : [`by default ${code(initial)}`]),
  ]
}

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (least === undefined && most === undefined) return []
  if (most === undefined) return [`at least ${least}${least === 1 ? unit.replace(/s$/, '') : unit}`]
  return [least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`]
}
