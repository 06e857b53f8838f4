import { mostFields } from './bounded-lists.ts'

// A body of one megabyte must not occupy the process for longer than 50 ms, however its labels are chosen. Reading is
// synchronous, so one delivery at a time spends from these, and `startReading` begins anew for the next.

const mostFieldsTogether = 3_000
const mostLabelCharacters = 30_000
const mostTextCharacters = 40_000

let fieldsOfEach = mostFields
let labelCharacters = mostLabelCharacters
let textCharacters = mostTextCharacters

export const startReading = (): void => {
  fieldsOfEach = mostFields
  labelCharacters = mostLabelCharacters
  textCharacters = mostTextCharacters
}

/** Says among how many people the fields of a delivery are shared. */
export const shareFields = (people: number): void => {
  fieldsOfEach = Math.min(fieldsOfEach, Math.max(1, Math.floor(mostFieldsTogether / Math.max(1, people))))
}

export const fieldsPerPerson = (): number => fieldsOfEach

/** Whether a label that this delivery had not yet may still be read. One that may not is a question like any other. */
export const mayReadLabel = (label: string): boolean => {
  labelCharacters -= label.length
  return labelCharacters >= 0
}

/** Whether a text may still be looked through for the fields that somebody wrote into it. One that may not is a text. */
export const mayReadText = (text: string): boolean => {
  textCharacters -= text.length
  return textCharacters >= 0
}
