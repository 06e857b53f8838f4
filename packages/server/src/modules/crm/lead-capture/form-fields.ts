import { isRecord, type JsonRecord, lineAt, valueAt } from '../../../untrusted/json-path.ts'
import { type FieldRole, isPlumbing, plainLabel, roleOf } from './field-labels.ts'

/** One filled-in field. `labels` are all the names it goes by, the most telling first; `question` is what a person saw. */
export type FormField = { readonly labels: readonly string[]; readonly question: string; readonly value: string }

const mostFields = 200
const deepest = 8

/** Wrappers around the fields of one person. In any other object a `name` is the name of something else. */
const wrappers = new Set(
  (
    'data lead leads contact customer person user payload body fields formfields formdata formresponse answers submission ' +
    'attributes properties visitor client entry entries response record value values rawrequest items'
  ).split(' '),
)

const aboutTheRequest = new Set(['meta', 'metadata', 'context', 'headers', 'definition', 'hidden', 'settings'])

const scalarText = (value: unknown): string | null => {
  if (typeof value === 'string') return value.trim() === '' ? null : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

/** Several ticked boxes are one answer. A choice may be an object with its label. */
export const answerText = (value: unknown): string | null => {
  if (isRecord(value)) return answerText(valueAt(value, 'label') ?? valueAt(value, 'labels') ?? valueAt(value, 'value'))
  if (!Array.isArray(value)) return scalarText(value)
  return (
    value
      .slice(0, 50)
      .map(scalarText)
      .filter((part) => part !== null)
      .join(', ') || null
  )
}

const labelKeys = [
  'column_id',
  'name',
  'key',
  'id',
  'field',
  'label',
  'question',
  'title',
  'column_name',
  'ref',
] as const
const questionKeys = [
  'label',
  'question',
  'title',
  'column_name',
  'name',
  'key',
  'field',
  'column_id',
  'id',
  'ref',
] as const
const valueKeys = ['value', 'values', 'answer', 'string_value', 'raw_value'] as const

/** `{name: 'email', value: '…'}` and its many relatives: Meta, Google, TikTok, Elementor, HubSpot and others. */
export const labelledField = (record: JsonRecord): FormField | null => {
  const key = valueKeys.find((name) => Object.hasOwn(record, name))
  const question = lineAt(record, ...questionKeys)
  if (key === undefined || question === null) return null
  // An input's type names its meaning only for these two; `text` and `choice` say nothing.
  const type = lineAt(record, 'type')
  const labels = [...labelKeys.map((name) => lineAt(record, name)), type === 'email' || type === 'tel' ? type : null]
  return { labels: labels.filter((label) => label !== null), question, value: answerText(record[key]) ?? '' }
}

/** `contact.first_name` is a first name; `company.name` is known as `company name` and never as a name. */
const pathField = (path: readonly string[], value: string): FormField => {
  const telling = path.filter((step) => !wrappers.has(plainLabel(step)))
  const label = telling.join(' ') || (path.at(-1) ?? 'answer')
  return { labels: [label], question: label, value }
}

const contactRoles = new Set<FieldRole | null>(['email', 'phone', 'company', 'first', 'last'])

/**
 * A lead with a `name` and a deal `value` is no field called after the person. Fields stand in a list or say what kind of
 * field they are, and hold nothing else that a person has.
 */
const isField = (record: JsonRecord, isListed: boolean) =>
  (isListed || lineAt(record, 'type', 'label', 'title', 'question') !== null) &&
  !Object.keys(record).some((key) => contactRoles.has(roleOf(key)))

type Walk = { readonly found: FormField[]; readonly path: readonly string[]; readonly isListed: boolean }

const walkRecord = (record: JsonRecord, { found, path, isListed }: Walk) => {
  const labelled = path.length > 0 && isField(record, isListed) ? labelledField(record) : null
  if (labelled !== null) {
    found.push(labelled)
    return
  }
  for (const [key, value] of Object.entries(record)) {
    if (!isPlumbing(key) && !aboutTheRequest.has(plainLabel(key)))
      walk(value, { found, path: [...path, key], isListed: false })
  }
}

const walk = (value: unknown, position: Walk): void => {
  const { found, path } = position
  if (found.length >= mostFields || path.length > deepest) return
  if (isRecord(value)) {
    walkRecord(value, position)
    return
  }
  if (Array.isArray(value) && value.some(isRecord)) {
    for (const item of value.slice(0, mostFields)) walk(item, { found, path, isListed: true })
    return
  }
  const text = answerText(value)
  if (text !== null) found.push(pathField(path, text))
}

/** Every field of a body whose shape nobody promised, in the order in which it was sent. */
export const collectFields = (body: unknown): readonly FormField[] => {
  const found: FormField[] = []
  walk(body, { found, path: [], isListed: false })
  return found.filter(({ value }) => value.trim() !== '')
}
