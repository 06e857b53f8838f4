import { isEmailAddress } from '@service/contract'
import { parseInstant } from './instant.ts'
import { oneLine, prose, webLink } from './sanitize-text.ts'

/** Reads untrusted JSON: every step may be missing, null, or of another type. */
export type JsonRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads only own properties, so that `constructor.name` or `__proto__` does not reach JavaScript's prototypes. */
export const valueAt = (source: unknown, path: string): unknown => {
  let value = source
  for (const key of path.split('.')) {
    if (!isRecord(value) || !Object.hasOwn(value, key)) return undefined
    value = value[key]
  }
  return value
}

const firstOf = <Found>(source: unknown, paths: readonly string[], read: (value: unknown) => Found | null) => {
  for (const path of paths) {
    const found = read(valueAt(source, path))
    if (found !== null) return found
  }
  return null
}

const asRecord = (value: unknown) => (isRecord(value) ? value : null)
const asLine = (value: unknown) => (typeof value === 'string' && oneLine(value)) || null
const asProse = (value: unknown) => (typeof value === 'string' && prose(value)) || null
const asLink = (value: unknown) => (typeof value === 'string' ? webLink(value) : null)
const asCount = (value: unknown) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
/** Hosts send "[REDACTED]" or an empty string for a hidden address; neither is stored. */
const asAddress = (value: unknown) => {
  const line = asLine(value)
  return line !== null && isEmailAddress(line) ? line : null
}

/** An identifier may be a number in one version of a body and a string in the next. */
const asIdentifier = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) ? String(value) : asLine(value)

export const recordAt = (source: unknown, ...paths: string[]): JsonRecord | null => firstOf(source, paths, asRecord)
export const lineAt = (source: unknown, ...paths: string[]): string | null => firstOf(source, paths, asLine)
export const proseAt = (source: unknown, ...paths: string[]): string | null => firstOf(source, paths, asProse)
export const linkAt = (source: unknown, ...paths: string[]): string | null => firstOf(source, paths, asLink)
export const countAt = (source: unknown, ...paths: string[]): number | null => firstOf(source, paths, asCount)
export const addressAt = (source: unknown, ...paths: string[]): string | null => firstOf(source, paths, asAddress)
export const identifierAt = (source: unknown, ...paths: string[]): string | null => firstOf(source, paths, asIdentifier)
export const instantAt = (source: unknown, ...paths: string[]): number | null => firstOf(source, paths, parseInstant)

export const listAt = (source: unknown, path: string): readonly unknown[] => {
  const value = valueAt(source, path)
  return Array.isArray(value) ? value : []
}

export const isTrueAt = (source: unknown, path: string): boolean => valueAt(source, path) === true
