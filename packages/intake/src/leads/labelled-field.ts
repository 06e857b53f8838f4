import { isRecord, type JsonRecord, lineAt, valueAt } from '../sanitise/json-path.ts'
import { answerText, chosenText } from './answer-text.ts'
import { mostFields } from './bounded-lists.ts'
import { readLabel } from './labels/role-of.ts'
import { hasContact } from './object-kind.ts'

/**
 * One filled-in field. `labels` are all the names it goes by, the most telling first; `question` is what a person saw.
 * A field of somebody else, such as the host of a meeting, is kept as an answer and never taken for the person.
 */
export type FormField = {
  readonly labels: readonly string[]
  readonly question: string
  readonly value: string
  readonly isOthers?: boolean
  /** Of somebody whom something is brought or sent to: the person, if nobody else is told of. */
  readonly isAddressed?: boolean
  /** Of what may not be the person: a company, a form around the fields, somebody who is called nothing that is known. */
  readonly isDoubtful?: boolean
  /** Where it stood by its own name, as `session` and `name`; what a list names has no such place. */
  readonly place?: { readonly owner: string; readonly key: string }
}

const machineNames = [
  ...['column_id', 'name', 'key', 'id', 'field', 'slug', 'fieldName', 'field_name', 'ref', 'part', 'variable'],
  ...['field.name', 'field.key', 'field.id'],
] as const
const shownNames = [
  ...[
    'label',
    'question',
    'title',
    'heading',
    'column_name',
    'fieldLabel',
    'field_label',
    'questionText',
    'question_text',
  ],
  ...[
    'text',
    'question.title',
    'question.text',
    'question.label',
    'field.label',
    'field.title',
    'block.content',
    'block.title',
  ],
] as const
const valueKeys = [
  ...[
    'value',
    'values',
    'answer',
    'answers',
    'string_value',
    'raw_value',
    'response',
    'userData',
    'fieldValue',
    'field_value',
  ],
] as const

/** The kinds of input that say what is in them; `text` and `choice` say nothing. */
const tellingTypes: readonly (readonly [RegExp, string])[] = [
  [/e-?mail/i, 'email'],
  [/phone|^tel$/i, 'phone'],
  [/^(?:control_)?(?:full|short)?_?name$/i, 'name'],
  [/^first_?name$/i, 'first name'],
  [/^last_?name$/i, 'last name'],
]

const typeLabel = (record: JsonRecord): string | null => {
  const type = lineAt(record, 'type', 'kind', 'fieldType', 'field_type', 'system', 'medium') ?? ''
  return tellingTypes.find(([pattern]) => pattern.test(type))?.[1] ?? null
}

/** A title may come in pieces: `["What is your ", ["mention", …], "?"]`. */
const shownAt = (record: JsonRecord, key: string): string | null =>
  lineAt(record, key) ?? answerText(valueAt(record, key))

const isLabel = (label: string | null): label is string => label !== null && label.trim() !== ''

/** What a field is called, or null when the object is no field. */
export const namesOf = (record: JsonRecord): Pick<FormField, 'labels' | 'question'> | null => {
  const machine = machineNames.map((key) => lineAt(record, key)).filter(isLabel)
  const shown = shownNames.map((key) => shownAt(record, key)).filter(isLabel)
  const type = typeLabel(record)
  const question = shown[0] ?? machine[0] ?? type
  return question === null ? null : { labels: [...machine, ...shown, type].filter(isLabel), question }
}

export const valueKeyOf = (record: JsonRecord): string | undefined =>
  valueKeys.find((key) => Object.hasOwn(record, key))

const longestField = 12
const isBeginning = (text: string, of = '') => text !== '' && of.startsWith(text)
const endOfValue = /(?:value|answer|response)$/i
const endOfName = /(?:name|key|label|title|question)$/i

/** Typeform and others write an answer under its kind, beside what was asked: `{type: 'text', text: '…', block: {…}}`. */
const underItsKind = (record: JsonRecord): JsonRecord => {
  const kind = lineAt(record, 'type') ?? ''
  const isAsked = [record['block'], record['field']].some(isRecord)
  if (!isAsked || !Object.hasOwn(record, kind)) return record
  return { ...record, [kind]: undefined, value: record[kind] }
}

/** `{FieldName: 'Email', Value: '…'}` and `{fieldTitle: 'Phone', fieldInputValue: '…'}` by the common names. */
export const asField = (sent: JsonRecord): JsonRecord => {
  if (valueKeyOf(sent) !== undefined) return sent
  const record = underItsKind(sent)
  if (record !== sent) return record
  const keys = Object.keys(record)
  const value = keys.length > longestField ? undefined : keys.find((key) => endOfValue.test(key))
  const prefix = value?.replace(endOfValue, '')
  const isName = (key: string) =>
    endOfName.test(key) && (prefix === '' || isBeginning(key.replace(endOfName, ''), prefix))
  const name = value === undefined ? undefined : keys.find(isName)
  return value === undefined || name === undefined ? record : { ...record, name: record[name], value: record[value] }
}

/** `{name: 'email', value: '…'}` and its many relatives: Meta, Google, TikTok, Elementor, HubSpot and others. */
export const labelledField = (record: JsonRecord): FormField | null => {
  const key = valueKeyOf(record)
  const names = key === undefined ? null : namesOf(record)
  if (key === undefined || names === null) return null
  return { ...names, value: chosenText(record, record[key]) ?? '' }
}

/** Several words as a name is written. */
export const shownName = /^\p{Lu}[\p{L}'’.-]{0,40}(?: \p{L}[\p{L}'’.-]{0,40}){1,4}$/u

/** `{name: 'Ann Lee', type: 'email', value: 'ann@…'}` is a contact, whose name is nobody's label. */
export const nameOfContact = (record: JsonRecord): string | null => {
  const name = lineAt(record, 'name') ?? ''
  return typeLabel(record) !== null && shownName.test(name) ? name : null
}

/** A value of several parts, as the first and the last name are of a name. */
export const hasParts = (value: unknown): value is JsonRecord =>
  isRecord(value) && ['first', 'last', 'first_name', 'firstName', 'area'].some((key) => Object.hasOwn(value, key))

const isNamedValue = (item: unknown): item is JsonRecord =>
  isRecord(item) && valueKeyOf(item) !== undefined && namesOf(item) !== null && !hasContact(item)

const asNamed = (item: unknown) => (isRecord(item) ? asField(item) : item)

const isTelling = (item: JsonRecord) => namesOf(item)?.labels.some((label) => readLabel(label) !== null) === true

/** `[{name: 'email', value: '…'}, …]`, as jQuery and others send a form. */
export const isListOfFields = (items: readonly unknown[]): boolean => {
  const fields = items.slice(0, mostFields).map(asNamed).filter(isNamedValue)
  return fields.length === Math.min(items.length, mostFields) && fields.some(isTelling)
}

type Pair = readonly [label: string, value: unknown]

const isPair = (item: unknown): item is Pair => Array.isArray(item) && item.length === 2 && typeof item[0] === 'string'

/** `[['Name', 'Ann'], ['Email', 'ann@…']]` are the entries of an object; null for any other list. */
export const recordOfPairs = (items: readonly unknown[]): JsonRecord | null => {
  const pairs = items.slice(0, mostFields).filter(isPair)
  const isTold = pairs.length > 1 && pairs.length === Math.min(items.length, mostFields)
  return isTold && pairs.some(([label]) => readLabel(label) !== null) ? Object.fromEntries(pairs) : null
}
