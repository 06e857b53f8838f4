import { describeIssue } from '@service/contract'
import { didYouMean } from '@service/contract/nearest'
import * as z from 'zod/mini'
import { type FieldErrors, validation } from './errors.ts'
import { isJsonObject } from './json.ts'

/** The errors in one response. A body of a megabyte may contain a hundred thousand. */
const maxErrors = 50

export function checkInput<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  requireShortLists(schema, input)
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
  requireShortLists(schema, input)
  const unknown = unknownKeys(schema, input, [])
  if (unknown.length === 0) return
  throw validation(Object.fromEntries(unknown.map((key) => [key.path.join('.'), [describeUnknownKey(key)]])))
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
  const errors = new Map<string, string[]>()
  for (const issue of issues.slice(0, maxErrors)) {
    const field = issue.path.join('.') || 'body'
    errors.set(field, [...(errors.get(field) ?? []), describeIssue(issue) + hintFor(issue)])
  }
  return Object.fromEntries(errors)
}

/** The closest allowed value, such as `ticket.created` for `ticket.creatd`. */
function hintFor(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_value' || typeof issue.input !== 'string') return ''
  return didYouMean(issue.input, issue.values.map(String))
}

type Path = readonly (string | number)[]

interface UnknownKey {
  readonly path: Path
  readonly known: readonly string[]
}

/** zod checks each item of a list before the length of the list, which would take long for a list of thousands. */
function requireShortLists(schema: z.core.$ZodType, value: unknown, path: Path = []): void {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'] // as in unknownKeys
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      requireShortLists(def.innerType, value, path)
      break
    case 'object':
      if (isJsonObject(value)) requireShortListsIn(def.shape, value, path)
      break
    case 'union':
      for (const option of def.options) requireShortLists(option, value, path)
      break
    case 'array':
      if (Array.isArray(value)) requireShortList({ list: value, most: mostItems(schema), item: def.element }, path)
  }
}

function requireShortListsIn(shape: z.core.$ZodShape, fields: Readonly<Record<string, unknown>>, path: Path): void {
  for (const [name, field] of Object.entries(shape)) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (typeof value === 'object') requireShortLists(field, value, [...path, name])
  }
}

interface CheckedList {
  readonly list: readonly unknown[]
  readonly most: number
  readonly item: z.core.$ZodType
}

function requireShortList({ list, most, item }: CheckedList, path: Path): void {
  const name = path.join('.') || 'body'
  if (list.length > most) throw validation({ [name]: [`The ${name} field must not be greater than ${most} items.`] })
  for (const [index, each] of list.entries()) requireShortLists(item, each, [...path, index])
}

/** The most items of a list whose schema has no limit. */
const maxItems = 10_000

function mostItems({ _zod: { def } }: z.core.$ZodType): number {
  const limits = (def.checks ?? []).map(({ _zod: { def } }) =>
    def.check === 'max_length' ? (def as z.core.$ZodCheckMaxLengthDef).maximum : maxItems,
  )
  return Math.min(maxItems, ...limits)
}

/**
 * The first unknown keys at any depth, except where a schema allows any key. Admin and the test controls reject them: a
 * misspelled key would silently have no effect.
 */
function unknownKeys(schema: z.core.$ZodType, value: unknown, path: Path): UnknownKey[] {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'] // the union of zod's own schemas
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return unknownKeys(def.innerType, value, path)
    case 'array':
      return Array.isArray(value)
        ? collect(value.keys(), (index) => unknownKeys(def.element, value[index], [...path, index]))
        : []
    case 'object':
      return isRecordOrList(value) ? collect(Object.keys(value), (key) => unknownKey(def, { key, value, path })) : []
    case 'record':
      // zod drops this key, and code that copies objects by assignment would change their prototype.
      return isJsonObject(value) && Object.hasOwn(value, '__proto__')
        ? [{ path: [...path, '__proto__'], known: [] }]
        : []
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

const isRecordOrList = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** A body of a megabyte may have a hundred thousand keys. */
function collect<Part>(parts: Iterable<Part>, find: (part: Part) => UnknownKey[]): UnknownKey[] {
  const found: UnknownKey[] = []
  for (const part of parts) {
    if (found.length >= maxErrors) break
    found.push(...find(part))
  }
  return found.slice(0, maxErrors)
}

interface KeyOfObject {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
  readonly path: Path
}

function unknownKey({ shape, catchall }: z.core.$ZodObjectDef, { key, value, path }: KeyOfObject): UnknownKey[] {
  const field = Object.hasOwn(shape, key) ? shape[key] : undefined
  if (field !== undefined) return unknownKeys(field, value[key], [...path, key])
  return catchall === undefined ? [{ path: [...path, key], known: Object.keys(shape) }] : []
}

function describeUnknownKey({ path, known }: UnknownKey): string {
  const key = String(path.at(-1))
  if (key === '__proto__') return 'The name __proto__ is not allowed.'
  const has = known.length === 0 ? 'this object has no fields' : `there is ${known.join(', ')}`
  return `There is no field ${key} here; ${has}.${didYouMean(key, known)}`
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
