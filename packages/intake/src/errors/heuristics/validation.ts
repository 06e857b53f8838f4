import { firstEntries, isObject, type JsonObject, keysOf, textOf } from '../json.ts'
import { joinedText } from './error-object.ts'
import { stackKeys } from './keys.ts'

const mostFields = 50

const isListOfTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === 'string')

/** A stack written as a list of lines says nothing of a field. */
const stacks: ReadonlySet<string> = new Set(stackKeys)
const isStack = (field: string): boolean => stacks.has(field)

/** Phoenix answers `{errors: {detail: "…"}}`: that is no field. */
const sentence = ([field, texts]: readonly [string, unknown]): string => {
  const text = joinedText(texts) ?? ''
  return /^(?:detail|message|title|base)$/.test(field) ? text : `${field}: ${text}`
}

/** Without `errors` a list of texts may be anything, unless the report has nothing else. */
const saysFieldsOnly = (report: JsonObject): boolean => {
  const fields = keysOf(report).slice(0, mostFields)
  // Most reports have no list, and are asked no more.
  if (!fields.some((field) => Array.isArray(report[field]))) return false
  return fields.every((field) => isListOfTexts(report[field]) || isStack(field) || typeof report[field] === 'number')
}

/** `{errors: {field: ["is required"]}}`, the same without `errors`, or a list of them: when that is all a report says. */
export const readValidation = (report: JsonObject): string | null => {
  const { errors } = report
  if (errors === undefined && !saysFieldsOnly(report)) return null
  const fields = firstEntries(isObject(errors) ? errors : report, mostFields)
    .filter(([field]) => isObject(errors) || !isStack(field))
    .filter(([, value]) => isListOfTexts(value) || (isObject(errors) && typeof value === 'string'))
  if (fields.length === 0) return joinedText(errors)
  return textOf(fields.map(sentence).join('; '))
}
