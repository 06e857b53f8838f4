import { isRecord, type JsonRecord, lineAt, listAt, valueAt } from '../sanitize/json-path.ts'

const maxChoices = 50

// The text that a person saw comes before the value that was sent for it.
const shown = 'label labels text simple_text title name full formatted prettyFormat value answer url'.split(' ')

const firstText = (values: readonly unknown[]): string | null => {
  for (const value of values) {
    const text = answerText(value)
    if (text !== null) return text
  }
  return null
}

/** Several ticked boxes are one answer. A choice may be an object with its label, and a file one with its address. */
export const answerText = (value: unknown): string | null => {
  if (isRecord(value)) return firstText(shown.map((key) => valueAt(value, key)))
  if (typeof value === 'string') return value.trim() === '' ? null : value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const parts = Array.isArray(value) ? value.slice(0, maxChoices).filter((part) => !Array.isArray(part)) : []
  return (
    parts
      .map(answerText)
      .filter((part) => part !== null)
      .join(', ') || null
  )
}

/** Tally, HeyForm, and others send the ids of the chosen options with the list of all options. */
const optionsOf = (field: JsonRecord): ReadonlyMap<unknown, string> => {
  const lists = ['options', 'choices', 'properties.options', 'properties.choices'].flatMap((key) => listAt(field, key))
  const named = lists.slice(0, 500).map((option) => {
    const text = lineAt(option, 'text', 'label', 'name', 'title', 'value')
    return text === null ? null : ([valueAt(option, 'id') ?? valueAt(option, 'value'), text] as const)
  })
  return new Map(named.filter((option) => option !== null))
}

/** The value of a field, with the texts of the chosen options. */
export const chosenText = (field: JsonRecord, value: unknown): string | null => {
  const options = optionsOf(field)
  const named = (part: unknown) => options.get(part) ?? part
  return answerText(Array.isArray(value) ? value.slice(0, maxChoices).map(named) : named(value))
}
