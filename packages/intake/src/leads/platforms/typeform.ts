import { identifierAt, isRecord, type JsonRecord, lineAt, listAt, recordAt, valueAt } from '../../sanitize/json-path.ts'
import { answerText } from '../answer-text.ts'
import { fieldsAt } from '../bounds.ts'
import { collectFields } from '../form-fields.ts'
import type { FormField } from '../labeled-field.ts'
import { personFrom } from '../person.ts'
import { type LeadReader, toLead } from './reader.ts'

/** The questions are in the definition of the form; the id of the field joins them to the answers. */
const titlesOf = (body: JsonRecord) =>
  new Map(
    fieldsAt(body, 'form_response.definition.fields').map((field) => [lineAt(field, 'id'), lineAt(field, 'title')]),
  )

/** An answer of type `email` has its value under `email`, a `choice` under `choice`, and so on. */
const valueFor = (answer: JsonRecord, type: string): string | null => {
  const value = valueAt(answer, type)
  if (!isRecord(value)) return answerText(value)
  const labels = [...listAt(value, 'labels'), lineAt(value, 'label'), lineAt(value, 'other')]
  return answerText(labels) ?? answerText(value)
}

/** The title is what the person saw; the reference is often a generated id. */
const toField = (answer: JsonRecord, titles: ReadonlyMap<string | null, string | null>): FormField | null => {
  const type = lineAt(answer, 'type')
  const value = type === null ? null : valueFor(answer, type)
  if (type === null || value === null) return null
  const title = titles.get(lineAt(answer, 'field.id')) ?? lineAt(answer, 'field.title')
  const meaning = type === 'email' || type === 'phone_number' ? type : null
  const labels = [title, lineAt(answer, 'field.ref'), lineAt(answer, 'field.id'), meaning].filter(
    (label) => label != null,
  )
  return { labels, question: title ?? labels[0] ?? type, value }
}

export const typeform: LeadReader = {
  name: 'Typeform',
  recognizedBy: ['form_response.answers'],
  about: 'the answers by the titles of their questions, choices by their labels, hidden fields by their names',
  recognizes: (body) => Array.isArray(valueAt(body, 'form_response.answers')),
  read: (body) => {
    const titles = titlesOf(body)
    const answers = fieldsAt(body, 'form_response.answers')
    const fields = answers.map((answer) => toField(answer, titles)).filter((field) => field !== null)
    const hidden = collectFields(recordAt(body, 'form_response.hidden') ?? {})
    return toLead(personFrom([...fields, ...hidden]), identifierAt(body, 'form_response.token', 'event_id'))
  },
}
