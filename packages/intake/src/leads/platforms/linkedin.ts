import { identifierAt, type JsonRecord, lineAt, listAt, valueAt } from '../../sanitize/json-path.ts'
import { answerText } from '../answer-text.ts'
import { fieldsAt } from '../bounds.ts'
import type { FormField } from '../labeled-field.ts'
import { personFrom } from '../person.ts'
import { ignoring, type LeadReader, toLead } from './reader.ts'

const answersOf = (body: JsonRecord) => [...fieldsAt(body, 'formResponse.answers'), ...fieldsAt(body, 'answers')]

const toField = (answer: unknown): FormField | null => {
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

/** Lead Sync sends a URN only. The answers are in the body if a relay fetched the response and passed it on. */
export const linkedin: LeadReader = {
  name: 'LinkedIn Lead Sync',
  recognizedBy: ['type: LEAD_ACTION', 'leadGenFormResponse', 'formResponse.answers'],
  about: '`formResponse.answers`, if a relay fetched them; the webhook of LinkedIn only names the lead',
  recognizes: (body) =>
    lineAt(body, 'type') === 'LEAD_ACTION' ||
    lineAt(body, 'leadGenFormResponse') !== null ||
    listAt(body, 'formResponse.answers').length > 0,
  read: (body) => {
    const id = identifierAt(body, 'leadGenFormResponse', 'id')
    if (lineAt(body, 'leadAction') === 'DELETED') return ignoring('withdrawn', id)
    if (String(valueAt(body, 'testLead')) === 'true') return ignoring('test_lead', id)
    const fields = answersOf(body).map(toField)
    const answered = fields.filter((field) => field !== null)
    return answered.length === 0 ? ignoring('details_not_included', id) : toLead(personFrom(answered), id)
  },
}
