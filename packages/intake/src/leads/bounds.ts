import { isRecord, type JsonRecord, listAt } from '../sanitize/json-path.ts'

// A body of one megabyte must not block the process for longer than 50 ms. Reading is synchronous, so one delivery at a
// time uses these budgets, and `startReading` resets them for the next.

/** The most people in one delivery, and the most fields of one person and of all together. */
export const maxLeads = 100
/** One more than the limit, so that a body above it can be refused. */
export const maxEntries = maxLeads + 1
export const maxFields = 200
const maxFieldsTogether = 3_000

/** A hundred leads of a hundred values. Parsing a body costs more than reading its fields. */
export const maxValues = 10_000

const maxLabelCharacters = 30_000

let fieldsOfEach = maxFields
let labelCharacters = maxLabelCharacters

export const startReading = (): void => {
  fieldsOfEach = maxFields
  labelCharacters = maxLabelCharacters
}

/** Divides the field budget of a delivery among its people. */
export const shareFields = (people: number): void => {
  fieldsOfEach = Math.min(maxFields, Math.floor(maxFieldsTogether / Math.max(1, people)))
}

export const fieldsPerPerson = (): number => fieldsOfEach

/** Whether the budget allows another new label of this delivery to be read. Otherwise it is an ordinary question. */
export const mayReadLabel = (label: string): boolean => {
  labelCharacters -= label.length
  return labelCharacters >= 0
}

/** The objects of a list of fields, answers or questions. */
export const fieldsAt = (source: unknown, path: string): readonly JsonRecord[] =>
  listAt(source, path).slice(0, maxFields).filter(isRecord)

/** The entries of a list of people, messages or changes. */
export const entriesAt = (source: unknown, path: string): readonly unknown[] =>
  listAt(source, path).slice(0, maxEntries)
