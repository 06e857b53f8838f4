import { describeIssue } from '@service/contract'
import { nearest } from '@service/contract/nearest'
import * as z from 'zod/mini'
import { type FieldErrors, validation } from './errors.ts'

export function checkInput<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, input, { reportInput: true })
  if (parsed.success) return parsed.data
  throw validation(fieldErrors(parsed.error.issues))
}

/** Like `checkInput`, but unknown fields are a 422. */
export function checkKnownInput<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  checkKnownKeys(schema, input)
  return checkInput(schema, input)
}

function checkKnownKeys(schema: z.ZodMiniType, input: unknown): void {
  const unknown = unknownKeys(schema, input)
  if (unknown.length === 0) return
  throw validation(Object.fromEntries(unknown.map(({ path, message }) => [path.join('.'), [message]])))
}

type QueryStrings = Readonly<Record<string, string>>

const noParameters = z.object({})

/** Parses the query string; unknown parameters are ignored. */
export function checkQuery(schema: z.ZodMiniObject, query: QueryStrings): unknown {
  const { shape } = schema
  // PostgreSQL rejects NUL in statement parameters. Checking here covers every schema.
  const withNul = Object.keys(query).filter((name) => Object.hasOwn(shape, name) && query[name]?.includes('\0'))
  if (withNul.length > 0) throw validation(Object.fromEntries(withNul.map((name) => [name, [nulMessage(name)]])))
  return checkInput(schema, query)
}

/** Like `checkQuery`, but unknown parameters are a 422: a misspelled filter would list everything. */
export function checkKnownQuery(schema: z.ZodMiniObject | undefined, query: QueryStrings): unknown {
  checkKnownKeys(schema ?? noParameters, query)
  return schema === undefined ? undefined : checkQuery(schema, query)
}

const nulMessage = (name: string) => `The ${name} field must not contain NUL characters.`

function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors: Record<string, string[]> = {}
  for (const issue of issues) {
    const field = issue.path.join('.') || 'body'
    errors[field] = [...(errors[field] ?? []), describeIssue(issue)]
  }
  return errors
}

type Path = readonly (string | number)[]

interface UnknownKey {
  readonly path: Path
  readonly message: string
}

/**
 * Unknown keys at any depth, except where a schema allows any key. Admin and the test controls reject them: a
 * misspelled key would silently have no effect.
 */
function unknownKeys(schema: z.core.$ZodType, value: unknown, path: Path = []): UnknownKey[] {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'] // the union of zod's own schemas
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return unknownKeys(def.innerType, value, path)
    case 'array':
      return Array.isArray(value)
        ? value.flatMap((each, index) => unknownKeys(def.element, each, [...path, index]))
        : []
    case 'object':
      return typeof value === 'object' && value !== null ? unknownKeysOfObject(def, Object.entries(value), path) : []
    case 'union':
      return withFewestUnknown(def.options.filter(isObject).map((option) => unknownKeys(option, value, path)))
    default:
      return []
  }
}

const isObject = (schema: z.core.$ZodType) => schema._zod.def.type === 'object'

/** Of several shapes, the one with the fewest unknown keys was probably meant. */
const withFewestUnknown = (found: readonly UnknownKey[][]): UnknownKey[] =>
  found.toSorted((a, b) => a.length - b.length)[0] ?? []

function unknownKeysOfObject(
  { shape, catchall }: z.core.$ZodObjectDef,
  entries: readonly (readonly [string, unknown])[],
  path: Path,
): UnknownKey[] {
  return entries.flatMap(([key, inner]) => {
    const field = Object.hasOwn(shape, key) ? shape[key] : undefined
    if (field !== undefined) return unknownKeys(field, inner, [...path, key])
    return catchall === undefined
      ? [{ path: [...path, key], message: unknownFieldMessage(key, Object.keys(shape)) }]
      : []
  })
}

function unknownFieldMessage(key: string, known: readonly string[]): string {
  const meant = nearest(key, known)
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  const has = known.length === 0 ? 'this object has no fields' : `there is ${known.join(', ')}`
  return `There is no field ${key} here; ${has}.${hint}`
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** JSON can escape a lone surrogate, which UTF-8 and the databases cannot store, so it becomes U+FFFD. */
const halfPair = /\\u[dD][89a-fA-F]/
const wellFormed = (_key: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)

/** Parses the body as JSON in UTF-8; anything else is a 422. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  try {
    const text = decoder.decode(bytes)
    return halfPair.test(text) ? JSON.parse(text, wellFormed) : JSON.parse(text)
  } catch {
    throw validation({ body: ['The request body must be valid JSON in UTF-8.'] })
  }
}
