import { ErrorBody, errorStatusesOf, type Route, responseSchema, successStatus } from '@service/contract'
import { Bytes } from '@service/contract/bytes'
import { fieldForms } from '@service/contract/field-forms'
import * as z from 'zod/mini'
import { findProblems, type SchemaProblem } from './violation.ts'

/** The parts of a response that the contract defines. */
export interface ResponseParts {
  readonly status: number
  readonly contentType: string | null
  readonly text: string
}

/** Violations in a response: its status, content type, and body fields. */
export function responseProblems(route: Route, { status, contentType, text }: ResponseParts): readonly SchemaProblem[] {
  const success = successStatus(route)
  const succeeded = status === success || (success === 201 && status === 200) // see the quirk createdStatus
  if (!succeeded && !errorStatusesOf(route).some((refusal) => refusal === status)) {
    return [{ at: 'status', message: `The contract does not list ${status} for ${route.operation}.` }]
  }
  if (succeeded && isWithoutJson(route, { contentType, text })) return []
  if (contentType?.startsWith('application/json') !== true) {
    return [
      { at: 'content-type', message: `The answer is ${contentType ?? 'of no type'} where the contract has JSON.` },
    ]
  }
  const last = lastChecked.get(route)
  if (last?.status === status && last.text === text) return last.problems
  const problems = bodyProblems(succeeded ? answerSchemas(route) : refusalSchemas(route, status), text)
  lastChecked.set(route, { status, text, problems })
  return problems
}

/** Whether a success has no JSON: no body, bytes, or an echoed challenge of a lead platform. */
function isWithoutJson(route: Route, { contentType, text }: Omit<ResponseParts, 'status'>): boolean {
  const success = successStatus(route)
  if (success === 204) return text === ''
  return (
    route.responses[success] === Bytes ||
    (route.challengeResponse !== undefined && contentType?.startsWith('text/plain') === true)
  )
}

/** Polled lists return the same text. Comparing it takes a hundredth of the time of parsing it. */
const lastChecked = new WeakMap<
  Route,
  Omit<ResponseParts, 'contentType'> & { readonly problems: readonly SchemaProblem[] }
>()

function bodyProblems(schemas: readonly z.ZodMiniType[], text: string): SchemaProblem[] {
  const body = parse(text)
  if (body === undefined) return [{ at: '$', message: 'The body is not JSON.' }]
  const found = schemas.map((schema) => findProblems(toStrictSchema(schema), body.json))
  const [fewest = []] = found.toSorted((a, b) => a.length - b.length)
  return fewest
}

export function parse(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function answerSchemas(route: Route): z.ZodMiniType[] {
  const { challengeResponse } = route
  return challengeResponse === undefined ? [responseSchema(route)] : [responseSchema(route), challengeResponse]
}

/** The common error body, plus any specific to this status and route. */
function refusalSchemas(route: Route, status: number): z.ZodMiniType[] {
  const own = Object.entries(route.responses).find(([refusal]) => refusal === String(status))
  return own === undefined ? [ErrorBody] : [ErrorBody, own[1]]
}

/**
 * The contract parses responses leniently, for the client. This makes the schema strict: no unknown or
 * missing keys, and instants, days, and money in their exact format.
 */
export function toStrictSchema(schema: z.core.$ZodType): z.ZodMiniType {
  const cached = strict.get(schema) ?? toStrict(schema)
  strict.set(schema, cached)
  return cached
}

/** Building a schema costs more than parsing a body with it. */
const strict = new WeakMap<z.core.$ZodType, z.ZodMiniType>()

function toStrict(schema: z.core.$ZodType): z.ZodMiniType {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'] // the closed union of zod's own schemas
  switch (def.type) {
    case 'object':
      // An object schema without fields accepts any content, such as an example.
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
      return schema as z.ZodMiniType // numbers, booleans, and literals are already strict
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
