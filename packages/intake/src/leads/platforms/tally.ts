import { identifierAt, type JsonRecord, lineAt, recordAt, valueAt } from '../../sanitise/json-path.ts'
import { chosenText } from '../answer-text.ts'
import { fieldsAt } from '../bounded-lists.ts'
import type { FormField } from '../labelled-field.ts'
import { personFrom } from '../person.ts'
import { type LeadPlatform, leadFrom, oneLead } from './platform.ts'

/** A box of a list of boxes is sent once more by itself, as true or false; the list says it already. */
const isSingleBox = (field: JsonRecord) => typeof field['value'] === 'boolean' && lineAt(field, 'type') === 'CHECKBOXES'

const meanings: Readonly<Record<string, string>> = { INPUT_EMAIL: 'email', INPUT_PHONE_NUMBER: 'phone' }

const fieldOf = (field: JsonRecord): FormField | null => {
  const label = lineAt(field, 'label') ?? 'Answer'
  const value = isSingleBox(field) ? null : chosenText(field, field['value'])
  const meaning = meanings[lineAt(field, 'type') ?? '']
  return value === null ? null : { labels: meaning === undefined ? [label] : [label, meaning], question: label, value }
}

export const tally: LeadPlatform = {
  name: 'tally',
  notes: {
    title: 'Tally',
    recognisedBy: '`eventType: FORM_RESPONSE` and `data.fields`',
    read: 'the fields by their labels, choices by their text; also where a relay made `fields` an object',
  },
  recognises: ({ body }) =>
    lineAt(body, 'eventType') === 'FORM_RESPONSE' && typeof valueAt(body, 'data.fields') === 'object',
  read: (body) => {
    const id = identifierAt(body, 'data.submissionId', 'data.responseId', 'eventId')
    const named = recordAt(body, 'data.fields')
    if (named !== null) return leadFrom(named, { id })
    const fields = fieldsAt(body, 'data.fields').map(fieldOf)
    return oneLead(personFrom(fields.filter((field) => field !== null)), id)
  },
}
