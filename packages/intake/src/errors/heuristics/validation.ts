import { isObject, type JsonObject, textOf } from '../json.ts'
import { joinedText } from './error-object.ts'

const mostFields = 50

const isListOfTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === 'string')

/** Phoenix answers `{errors: {detail: "…"}}`: that is no field. */
const sentence = ([field, texts]: readonly [string, unknown]): string => {
  const text = joinedText(texts) ?? ''
  return /^(?:detail|message|title|base)$/.test(field) ? text : `${field}: ${text}`
}

/** `{errors: {field: ["is required"]}}`, the same without `errors`, or a list of them: when that is all a report says. */
export const readValidation = (report: JsonObject): string | null => {
  const { errors } = report
  const fields = Object.entries(isObject(errors) ? errors : report)
    .slice(0, mostFields)
    .filter(([, value]) => isListOfTexts(value) || (isObject(errors) && typeof value === 'string'))
  if (fields.length === 0) return joinedText(errors)
  return textOf(fields.map(sentence).join('; '))
}
