import { identifierAt, isRecord, type JsonRecord, lineAt, listAt, valueAt } from '../../../../untrusted/json-path.ts'
import { answerText, type FormField } from '../form-fields.ts'
import { personFrom } from '../person.ts'
import { type LeadPlatform, oneLead } from './platform.ts'

/** Questions stand in the form's definition, answers beside it; the field's id joins them. */
const titlesOf = (body: JsonRecord) =>
  new Map(listAt(body, 'form_response.definition.fields').map((field) => [lineAt(field, 'id'), lineAt(field, 'title')]))

/** An answer of type `email` has its value under `email`, a `choice` under `choice`, and so on. */
const fieldOf = (answer: JsonRecord, titles: ReadonlyMap<string | null, string | null>): FormField | null => {
  const type = lineAt(answer, 'type')
  const value = type === null ? null : answerText(valueAt(answer, type))
  if (type === null || value === null) return null
  const title = titles.get(lineAt(answer, 'field.id')) ?? lineAt(answer, 'field.title')
  const meaning = type === 'email' || type === 'phone_number' ? type : null
  const labels = [meaning, lineAt(answer, 'field.ref'), title].filter((label) => label != null)
  return { labels, question: title ?? labels[0] ?? type, value }
}

export const typeform: LeadPlatform = {
  name: 'typeform',
  recognises: ({ body }) => Array.isArray(valueAt(body, 'form_response.answers')),
  read: (body) => {
    const titles = titlesOf(body)
    const answers = listAt(body, 'form_response.answers').filter(isRecord)
    const fields = answers.map((answer) => fieldOf(answer, titles)).filter((field) => field !== null)
    return oneLead(personFrom(fields), identifierAt(body, 'form_response.token', 'event_id'))
  },
}
