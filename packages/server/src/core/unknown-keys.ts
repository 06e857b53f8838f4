import type * as z from 'zod/mini'
import { nearest } from './nearest.ts'

type Path = readonly (string | number)[]

/** A key that a schema does not know, and a sentence about it. */
export interface UnknownKey {
  readonly path: Path
  readonly sentence: string
}

/**
 * Keys that a schema would pass over, however deep they stand; schemas that take any key are left alone. Administration and
 * the test controls refuse them: a key that is misspelt is a setting, or a test, that does not do what it says.
 */
export function unknownKeys(schema: z.core.$ZodType, value: unknown, path: Path = []): UnknownKey[] {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'] // the closed union of zod's own schemas
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
      return typeof value === 'object' && value !== null ? ofObject(def, Object.entries(value), path) : []
    case 'union':
      return fewest(def.options.filter(isObject).map((option) => unknownKeys(option, value, path)))
    default:
      return []
  }
}

const isObject = (schema: z.core.$ZodType) => schema._zod.def.type === 'object'

/** Of several shapes the one that was probably meant. */
const fewest = (found: readonly UnknownKey[][]): UnknownKey[] => found.toSorted((a, b) => a.length - b.length)[0] ?? []

function ofObject(
  { shape, catchall }: z.core.$ZodObjectDef,
  entries: readonly (readonly [string, unknown])[],
  path: Path,
): UnknownKey[] {
  return entries.flatMap(([key, inner]) => {
    const field = Object.hasOwn(shape, key) ? shape[key] : undefined
    if (field !== undefined) return unknownKeys(field, inner, [...path, key])
    return catchall === undefined ? [{ path: [...path, key], sentence: sentenceOf(key, Object.keys(shape)) }] : []
  })
}

function sentenceOf(key: string, known: readonly string[]): string {
  const meant = nearest(key, known)
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  const has = known.length === 0 ? 'nothing is taken' : `there is ${known.join(', ')}`
  return `There is no field ${key} here; ${has}.${hint}`
}
