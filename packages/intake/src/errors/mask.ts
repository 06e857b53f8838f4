import type { MappedField } from '../evaluate-mapping.ts'
import { masked, maskText } from './mask-text.ts'
import { isSecretKey } from './secret-key.ts'

const nameKeys = ['name', 'key', 'header', 'Name', 'Key'] as const

/** `{name: 'Authorization', value: '…'}` */
const namesSecret = (object: Readonly<Record<string, unknown>>): boolean =>
  nameKeys.some((key) => {
    const name = Object.hasOwn(object, key) ? object[key] : undefined
    return typeof name === 'string' && isSecretKey(name)
  })

/** Whether a field with this name has the name of the value beside it. */
export const isNameKey = (key: string): boolean => nameKeys.some((name) => name === key)

const maskEntry = (value: unknown, secret: boolean): unknown => {
  // Booleans and empty values are not secrets, and an empty password is useful information.
  const isHarmless = value === null || value === undefined || value === '' || typeof value === 'boolean'
  return secret && !isHarmless ? masked : maskValue(value)
}

const rawHeader = /^(?:proxy-)?authorization$|^(?:set-)?cookie$|^x-[\w-]{0,30}(?:key|token|secret)$/i
const oneWord = /^[\w.-]{1,60}$/

/** Whether the entry names a secret that follows it: any secret name in a pair, only a header in a longer list. */
const namesNextEntry = (entry: unknown, listLength: number): boolean => {
  if (typeof entry !== 'string' || !oneWord.test(entry)) return false
  return listLength === 2 ? isSecretKey(entry) : rawHeader.test(entry)
}

// Reuses unchanged values, because most of a report contains no secrets.

/** Headers also come as pairs, and as one long list in which every name is followed by its value. */
const maskList = (list: readonly unknown[]): readonly unknown[] => {
  const entries = list.map((value, index) =>
    maskEntry(value, index % 2 === 1 && namesNextEntry(list[index - 1], list.length)),
  )
  return entries.every((value, index) => value === list[index]) ? list : entries
}

const maskObject = (object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const hidesValue = namesSecret(object)
  const changed: [key: string, value: unknown][] = []
  for (const key of Object.keys(object)) {
    const entry = maskEntry(object[key], isSecretKey(key) || (hidesValue && key.toLowerCase() === 'value'))
    if (entry !== object[key]) changed.push([key, entry])
  }
  // `fromEntries` defines own properties, so that a key `__proto__` stays a key.
  return changed.length === 0 ? object : Object.fromEntries([...Object.entries(object), ...changed])
}

const maskValue = (value: unknown): unknown => {
  if (typeof value === 'string') return maskText(value)
  if (typeof value === 'number')
    return Math.abs(value) < 1e12 || maskText(String(value)) === String(value) ? value : masked
  if (Array.isArray(value)) return maskList(value)
  // `as`: an object that is not a list is a record of unknown values.
  return typeof value === 'object' && value !== null ? maskObject(value as Record<string, unknown>) : value
}

/**
 * Masks secrets in a value: values under secret keys, and secrets inside text and URLs. The result has the
 * shape of the input; a masked value is text.
 */
// `as`: masking changes values, not fields.
export const maskSecrets = <Value>(value: Value): Value => maskValue(value) as Value

/** Masks the values of mapped fields. An expression is not a secret, whatever it reads. */
export const maskMapped = (mapped: readonly MappedField[]): MappedField[] =>
  mapped.map((field) => ({ ...field, ...maskSecrets({ from: field.from, to: field.to }) }))
