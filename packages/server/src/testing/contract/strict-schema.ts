import { fieldForms } from '@service/contract/field-forms'
import * as z from 'zod/mini'

/**
 * The contract reads answers leniently, for the client's sake. This is the same schema without leniency: no unknown
 * key, no missing one, and instants, days and money in their exact form.
 */
export function toStrictSchema(schema: z.core.$ZodType): z.ZodMiniType {
  const known = strict.get(schema) ?? toStrict(schema)
  strict.set(schema, known)
  return known
}

/** Building a schema costs more than reading a body with it. */
const strict = new WeakMap<z.core.$ZodType, z.ZodMiniType>()

function toStrict(schema: z.core.$ZodType): z.ZodMiniType {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'] // the closed union of zod's own schemas
  switch (def.type) {
    case 'object':
      // An object without fields is one whose content is free, such as an example.
      if (Object.keys(def.shape).length === 0) return schema as z.ZodMiniType
      return z.strictObject(
        Object.fromEntries(Object.entries(def.shape).map(([key, field]) => [key, toStrictSchema(field)])),
      )
    case 'array':
      return z.array(toStrictSchema(def.element))
    case 'nullable':
      return z.nullable(toStrictSchema(def.innerType))
    case 'optional':
      return z.optional(toStrictSchema(def.innerType))
    case 'default':
      return toStrictSchema(def.innerType)
    case 'union':
      return z.union(def.options.map(toStrictSchema))
    case 'record':
      return z.record(z.string(), toStrictSchema(def.valueType))
    case 'string':
      return exactText(schema)
    default:
      return schema as z.ZodMiniType // numbers, booleans and literals are strict already
  }
}

const forms: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
}

function exactText(schema: z.core.$ZodType): z.ZodMiniType {
  const { format = '', pattern } = fieldForms.get(schema) ?? {}
  const form = pattern === undefined ? forms[format] : new RegExp(pattern)
  return form === undefined ? z.string() : z.string().check(z.regex(form))
}
