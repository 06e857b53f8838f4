import { identifierAt, type JsonRecord, lineAt, listAt, valueAt } from '../../sanitise/json-path.ts'
import { answerText } from '../answer-text.ts'
import { fieldsAt } from '../bounded-lists.ts'
import type { FormField } from '../labelled-field.ts'
import { personFrom } from '../person.ts'
import { ignoring, type LeadPlatform, oneLead } from './platform.ts'

const answersOf = (body: JsonRecord) => [...fieldsAt(body, 'formResponse.answers'), ...fieldsAt(body, 'answers')]

const fieldOf = (answer: unknown): FormField | null => {
  const value = answerText(
    valueAt(answer, 'answerDetails.textQuestionAnswer.answer') ??
      valueAt(answer, 'answerDetails.multipleChoiceAnswer.options') ??
      valueAt(answer, 'answer') ??
      valueAt(answer, 'value'),
  )
  const labels = ['predefinedField', 'name', 'question', 'label', 'questionId'].map((key) => identifierAt(answer, key))
  const known = labels.filter((label) => label !== null)
  const question = lineAt(answer, 'question', 'label', 'name', 'predefinedField') ?? known[0]
  return value === null || question === undefined ? null : { labels: known, question, value }
}

/** Lead Sync notifies with a URN only; the answers are in the body when somebody fetched the response and passed it on. */
export const linkedin: LeadPlatform = {
  name: 'linkedin',
  notes: {
    title: 'LinkedIn Lead Sync',
    recognisedBy: '`type: LEAD_ACTION`, `leadGenFormResponse`, `formResponse.answers`',
    read: '`formResponse.answers`, when the details were fetched',
    ignored: 'the webhook itself, which has a URN only; `DELETED`; `testLead`',
  },
  recognises: ({ body }) =>
    lineAt(body, 'type') === 'LEAD_ACTION' ||
    lineAt(body, 'leadGenFormResponse') !== null ||
    listAt(body, 'formResponse.answers').length > 0,
  read: (body) => {
    const id = identifierAt(body, 'leadGenFormResponse', 'id')
    if (lineAt(body, 'leadAction') === 'DELETED') return ignoring('withdrawn', id)
    if (lineAt(body, 'testLead') === 'true' || valueAt(body, 'testLead') === true) return ignoring('test_lead', id)
    const fields = answersOf(body)
      .map(fieldOf)
      .filter((field) => field !== null)
    return fields.length === 0 ? ignoring('details_not_included', id) : oneLead(personFrom(fields), id)
  },
}
