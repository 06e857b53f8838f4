import { isRecord, type JsonRecord, lineAt, valueAt } from '../sanitize/json-path.ts'
import { answerText, chosenText } from './answer-text.ts'
import { maxFields } from './bounds.ts'
import { roleOf } from './labels/role-of.ts'
import { hasContact } from './object-kind.ts'

/**
 * One filled-in field. `labels` are all its names, the most specific first; `question` is the label a person saw.
 * A field of another person, such as the host of a meeting, is kept as an answer and never used for the lead.
 */
export type FormField = {
  readonly labels: readonly string[]
  readonly question: string
  readonly value: string
  readonly isOtherParty?: boolean
  /** Belongs to the recipient of a delivery or a message: the person, if there is no other. */
  readonly isRecipient?: boolean
  /** May belong to something else: the field is in a company, an outer object, or an object with an unknown name. */
  readonly isDoubtful?: boolean
  /** The path of its object and its key in it. Undefined for a field in a list. */
  readonly location?: { readonly owner: string; readonly key: string }
}

const machineNames =
  'column_id name key id field slug fieldName field_name ref part variable field.name field.key field.id'.split(' ')
const shownNames = (
  'label question title heading column_name fieldLabel field_label questionText question_text text question.title ' +
  'question.text question.label field.label field.title block.content block.title'
).split(' ')
const valueKeys = 'value values answer answers string_value raw_value response userData fieldValue field_value'.split(
  ' ',
)

/** Input types that identify their content, unlike `text` and `choice`. */
const specificTypes: readonly (readonly [RegExp, string])[] = [
  [/e-?mail/i, 'email'],
  [/phone|^tel$/i, 'phone'],
  [/^(?:control_)?(?:full|short)?_?name$/i, 'name'],
  [/^first_?name$/i, 'first name'],
  [/^last_?name$/i, 'last name'],
]

const typeLabel = (record: JsonRecord): string | null => {
  const type = lineAt(record, 'type', 'kind', 'fieldType', 'field_type', 'system', 'medium') ?? ''
  return specificTypes.find(([pattern]) => pattern.test(type))?.[1] ?? null
}

const isLabel = (label: string | null): label is string => label !== null && label.trim() !== ''

/** The label of a field, or null if it is not a field. A title may be a list: `["Your ", ["mention", …], "?"]`. */
export const namesOf = (record: JsonRecord): Pick<FormField, 'labels' | 'question'> | null => {
  // HubSpot's forms have fields of the contact and of its company (type 0-2); both have a `name`.
  const owner = record['objectTypeId'] === '0-2' ? 'company ' : ''
  const machine = machineNames.flatMap((key) => lineAt(record, key) ?? []).map((name) => owner + name)
  const shown = shownNames.map((key) => lineAt(record, key) ?? answerText(valueAt(record, key))).filter(isLabel)
  const type = typeLabel(record)
  const question = shown[0] ?? machine[0] ?? type
  return question === null ? null : { labels: [...machine, ...shown, type].filter(isLabel), question }
}

export const valueKeyOf = (record: JsonRecord): string | undefined =>
  valueKeys.find((key) => Object.hasOwn(record, key))

const endOfValue = /(?:value|answer|response)$/i
const endOfName = /(?:name|key|label|title|question)$/i

/** Typeform and others write an answer under its type: `{type: 'text', text: '…', block: {…}}`. */
const underItsType = (record: JsonRecord): JsonRecord | null => {
  const type = lineAt(record, 'type') ?? ''
  const isAsked = [record['block'], record['field']].some(isRecord)
  return isAsked && Object.hasOwn(record, type) ? { ...record, [type]: undefined, value: record[type] } : null
}

/** `{FieldName: 'Email', Value: '…'}` and `{fieldTitle: 'Phone', fieldInputValue: '…'}` with the usual keys. */
export const asField = (record: JsonRecord): JsonRecord => {
  if (valueKeyOf(record) !== undefined) return record
  const typed = underItsType(record)
  if (typed !== null) return typed
  const keys = Object.keys(record)
  const value = keys.length > 12 ? undefined : keys.find((key) => endOfValue.test(key))
  const prefix = value?.replace(endOfValue, '') ?? ''
  const isName = (key: string) => {
    const beginning = key.replace(endOfName, '')
    return endOfName.test(key) && (prefix === '' || (beginning !== '' && prefix.startsWith(beginning)))
  }
  const name = value === undefined ? undefined : keys.find(isName)
  return value === undefined || name === undefined ? record : { ...record, name: record[name], value: record[value] }
}

/** `{name: 'email', value: '…'}` and the similar formats of Meta, Google, TikTok, Elementor, HubSpot, and others. */
export const labeledField = (record: JsonRecord): FormField | null => {
  const key = valueKeyOf(record)
  const names = key === undefined ? null : namesOf(record)
  if (key === undefined || names === null) return null
  // Tally repeats each checkbox of a list as a separate field.
  const isSingleBox = typeof record[key] === 'boolean' && record['type'] === 'CHECKBOXES'
  return { ...names, value: isSingleBox ? '' : (chosenText(record, record[key]) ?? '') }
}

/** Several words, written as a name. */
export const shownName = /^\p{Lu}[\p{L}'’.-]{0,40}(?: \p{L}[\p{L}'’.-]{0,40}){1,4}$/u

/** A value in parts, such as the first and the last name. */
export const hasParts = (value: unknown): value is JsonRecord =>
  isRecord(value) && ['first', 'last', 'first_name', 'firstName', 'area'].some((key) => Object.hasOwn(value, key))

/** `[{name: 'email', value: '…'}, …]`, as jQuery and others send a form. */
export const isListOfFields = (items: readonly unknown[]): boolean => {
  const fields = items.slice(0, maxFields).map((item) => (isRecord(item) ? asField(item) : null))
  const names = fields.map((field) => (field === null || hasContact(field) ? null : labeledField(field)))
  return names.every((name) => name !== null) && names.some((name) => name.labels.some(roleOf))
}

const isPair = (item: unknown): item is readonly [label: string, value: unknown] =>
  Array.isArray(item) && item.length === 2 && typeof item[0] === 'string'

/** `[['Name', 'Ann'], ['Email', 'ann@…']]` are the entries of an object. Returns null for any other list. */
export const recordOfPairs = (items: readonly unknown[]): JsonRecord | null => {
  const pairs = items.slice(0, maxFields).filter(isPair)
  const isComplete = pairs.length > 1 && pairs.length === Math.min(items.length, maxFields)
  return isComplete && pairs.some(([label]) => roleOf(label)) ? Object.fromEntries(pairs) : null
}
