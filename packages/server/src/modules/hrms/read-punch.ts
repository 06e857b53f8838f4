import { NewPunch } from '@service/contract'
import { isMet, type MappedField, type Mapping, mapFields } from '@service/intake/evaluate-mapping'
import { checkInput, parseJsonBody } from '../../core/check-input.ts'

/** A punch after applying the field mapping. */
export interface ReadPunch {
  readonly punch: unknown
  readonly mapped: readonly MappedField[]
}

const idFields = new Set(['user_id', 'device_id'])

/** Reads the body of an attendance webhook. */
export function readPunch(body: Uint8Array, mapping: Mapping | null): ReadPunch | 'ignored' {
  const sent = parseJsonBody(body)
  if (mapping?.ignore_when && isMet(mapping.ignore_when, sent)) return 'ignored'
  const mapped = Object.entries(mapFields(mapping, sent)).map(([field, to]) => ({
    field,
    from: toShown(Object(sent)[field]),
    to: toFieldType(field, to),
    expression: mapping?.fields?.[field] ?? '',
  }))
  if (mapped.length === 0) return { punch: sent, mapped }
  return { punch: { ...Object(sent), ...Object.fromEntries(mapped.map(({ field, to }) => [field, to])) }, mapped }
}

/** The schema takes ids as numbers and all other values as strings. */
function toFieldType(field: string, value: string | number): string | number {
  if (!idFields.has(field)) return String(value)
  return Number.isInteger(Number(value)) ? Number(value) : value
}

const toShown = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? value : null)

/** Rejects an invalid punch with a message per field. */
export const checkPunch = (punch: unknown) => checkInput(NewPunch, punch)
