import { isRecord, type JsonRecord, lineAt, listAt, valueAt } from '../sanitise/json-path.ts'

const mostChoices = 50

const scalarText = (value: unknown): string | null => {
  if (typeof value === 'string') return value.trim() === '' ? null : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

// In this order: what a person saw, then what was sent for it.
const shown = [
  'label',
  'labels',
  'text',
  'simple_text',
  'title',
  'name',
  'full',
  'formatted',
  'prettyFormat',
  'value',
  'answer',
  'url',
] as const

/** Several ticked boxes are one answer. A choice may be an object with its label, and a file one with its address. */
export const answerText = (value: unknown): string | null => {
  if (isRecord(value)) {
    for (const key of shown) {
      const text = answerText(valueAt(value, key))
      if (text !== null) return text
    }
    return null
  }
  if (!Array.isArray(value)) return scalarText(value)
  const parts = value.slice(0, mostChoices).map((part) => (isRecord(part) ? answerText(part) : scalarText(part)))
  return parts.filter((part) => part !== null).join(', ') || null
}

type Options = ReadonlyMap<unknown, string>

const optionKeys = ['options', 'choices'] as const

/** Tally, HeyForm and others send the ids of what was chosen beside the list of all that could be. */
const optionsOf = (field: JsonRecord): Options => {
  const options = optionKeys.flatMap((key) => [...listAt(field, key), ...listAt(field, `properties.${key}`)])
  return new Map(
    options.slice(0, 500).flatMap((option) => {
      const text = lineAt(option, 'text', 'label', 'name', 'title', 'value')
      return text === null ? [] : [[valueAt(option, 'id') ?? valueAt(option, 'value'), text] as const]
    }),
  )
}

/** The value of a field, its choices by their text. */
export const chosenText = (field: JsonRecord, value: unknown): string | null => {
  const options = optionsOf(field)
  const named = (part: unknown) => options.get(part) ?? part
  if (options.size === 0) return answerText(value)
  return answerText(Array.isArray(value) ? value.slice(0, mostChoices).map(named) : named(value))
}
