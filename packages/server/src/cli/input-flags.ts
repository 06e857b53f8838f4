import type { AdminRoute } from '@service/contract'
import type * as z from 'zod/mini'
import { toShellWord } from '../core/shell-word.ts'
import { UsageError } from './command.ts'

export interface InputFlag {
  /** `user_id` */
  readonly field: string
  /** `--user <number>` */
  readonly flags: string
  /** The option name in commander: `user`. */
  readonly key: string
  readonly description: string
  readonly isRequired: boolean
  /** Converts the flag to the field's type. Invalid values stay text, so that the server reports them. */
  read(text: string): unknown
}

/** Flags of every command. A field with one of these names gets the noun as prefix: `--webhook-url`. */
const reservedNames = new Set(['url', 'data', 'admin-token', 'database-url', 'workspace', 'json', 'yes', 'help'])

export function inputFlags({ body, query }: AdminRoute, noun: string): InputFlag[] {
  const schema = body ?? query
  if (schema === undefined) return []
  return Object.entries(shapeOf(schema)).map(([field, type]) => {
    const isRequired = type._zod.optin === undefined
    return { ...toFlag(field, readType(type), noun), isRequired }
  })
}

type Definition = Readonly<Record<string, unknown>> & { readonly type: string }

const definitionOf = (schema: z.ZodMiniType) => schema._zod.def as unknown as Definition // every schema has a type

function shapeOf(schema: z.ZodMiniType): Record<string, z.ZodMiniType> {
  const { shape } = definitionOf(schema)
  return (shape ?? {}) as Record<string, z.ZodMiniType> // all request bodies of the admin API are objects
}

interface FieldType {
  readonly kind: string
  readonly nullable: boolean
  readonly values: readonly string[]
  readonly items: string | undefined
}

function readType(schema: z.ZodMiniType): FieldType {
  const definition = definitionOf(schema)
  const { type, innerType, entries, element } = definition
  const inside = (innerType ?? definition['in']) as z.ZodMiniType | undefined // as the wrapping types have it
  if (inside !== undefined) {
    const inner = readType(inside)
    return { ...inner, nullable: inner.nullable || type === 'nullable' }
  }
  const items = element === undefined ? undefined : readType(element as z.ZodMiniType)
  const values = items?.values ?? Object.values((entries ?? {}) as Record<string, string>)
  return { kind: type, nullable: false, values, items: items?.kind }
}

function toFlag(field: string, type: FieldType, noun: string): Omit<InputFlag, 'isRequired'> {
  const isId = type.kind === 'number' && field.endsWith('_id')
  const word = (isId ? field.slice(0, -'_id'.length) : field).replaceAll('_', '-')
  const name = reservedNames.has(word) ? `${noun}-${word}` : word
  return {
    field,
    key: name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    flags: `--${name} ${placeholderOf(type)}`,
    description: descriptionOf(type),
    read: (text) => (type.nullable && text === 'null' ? null : readValue(type, text, `--${name}`)),
  }
}

function placeholderOf({ kind, items }: FieldType): string {
  if (kind === 'boolean') return '[true|false]'
  if (kind === 'array') return items === 'number' ? '<numbers>' : '<names>'
  if (kind === 'record' || kind === 'object') return '<json>'
  return kind === 'number' ? '<number>' : '<text>'
}

function descriptionOf({ kind, values, nullable }: FieldType): string {
  const parts = [
    ...(values.length > 0 ? [values.join(', ')] : []),
    ...(kind === 'array' ? ['comma-separated'] : []),
    ...(nullable ? ['"null" for none'] : []),
  ]
  return parts.join('; ')
}

function readValue({ kind, items }: FieldType, text: string, flag: string): unknown {
  if (kind === 'number') return toNumber(text)
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (kind === 'array') return splitList(text).map((item) => (items === 'number' ? toNumber(item) : item))
  if (kind === 'record' || kind === 'object') return readJson(text, flag)
  return text
}

const splitList = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const toNumber = (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text)

function readJson(text: string, flag: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${flag} is JSON such as '{"name":"value"}'; it was ${text}.`)
  }
}

export const toFlagText = (value: unknown): string => toShellWord(toText(value))

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
