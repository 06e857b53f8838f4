import { identifierAt, isRecord, type JsonRecord, recordAt } from '../../sanitize/json-path.ts'
import { maxLeads } from '../bounds.ts'
import { isWrapper } from '../containers.ts'
import { collectFields } from '../form-fields.ts'
import { roleOf } from '../labels/role-of.ts'
import { guessIgnoredReason } from '../not-leads.ts'
import { hasContact } from '../object-kind.ts'
import { type Person, personFrom } from '../person.ts'
import { ignoring, type LeadReader, leadOf } from './reader.ts'

const namedIds = (
  'lead_id leadId submission_id submissionID submissionId entry_id entryId response_id responseId external_id ' +
  'externalLeadId tranid UniqueID UNIQUE_QUERY_ID'
).split(' ')
const idKeys = new Set([...namedIds, 'Entry ID', 'id', 'FormID'])
const containers = ['data', 'payload', 'lead', 'submission', 'RESPONSE', 'body']

const idOf = (body: JsonRecord): string | null => {
  const records = [body, ...containers.flatMap((container) => recordAt(body, container) ?? [])]
  const id = records.map((record) => identifierAt(record, ...namedIds)).find((found) => found !== null)
  return id ?? identifierAt(body, 'Entry ID', 'id', 'lead.id', 'submission.id', 'data.submission.id', 'entry.id')
}

const fieldsOf = (body: unknown) => collectFields(body).filter(({ question }) => !idKeys.has(question))

const isReached = ({ email, phone }: Person) => email !== null || phone !== null

/** Payments and calls name the customer in their metadata. */
const personIn = (body: JsonRecord, person: Person): Person => {
  const metadata = isReached(person) ? null : recordAt(body, 'metadata', 'data.metadata', 'data.object.metadata')
  const other = metadata === null ? person : personFrom(fieldsOf(metadata))
  return isReached(other) ? other : person
}

const isPerson = (item: JsonRecord): boolean =>
  hasContact(item) ||
  Object.entries(item)
    .slice(0, 30)
    .some(([key, value]) => /^(?:email|phone)$/.test(roleOf(key) ?? '') || (isRecord(value) && hasContact(value)))

/** A relay may send a list of leads next to a message for all of them. The guests of a meeting are one inquiry. */
const splitPeople = (body: JsonRecord): readonly JsonRecord[] => {
  for (const [key, value] of Object.entries(body).slice(0, 50)) {
    if (!Array.isArray(value) || !(isWrapper(key) || key === 'items') || /attend|invit|guest|passenger/i.test(key))
      continue
    const people = value.slice(0, maxLeads).filter(isRecord)
    if (people.length < 2 || !people.every(isPerson)) continue
    const { message } = personFrom(collectFields({ ...body, [key]: null }))
    return people.map((person) => (message === null ? person : { ...person, message: person['message'] ?? message }))
  }
  return [body]
}

/** Senders whose bodies are read as forms. Each has a body in form-senders.txt. */
export const formSenders = (
  'Cognito Forms, Contact Form 7, Elementor, Fillout, Fluent Forms, Formstack, GoHighLevel, HeyForm, IndiaMART, ' +
  'Intercom, Mailchimp, Make, n8n, Paperform, RD Station, tawk.to, Tilda, Unbounce, Wix, WPForms, Zapier, Zoho and Salesforce'
).split(', ')

/** The documented body (name, email, phone, company, message) and its variants from form builders. */
export const form: LeadReader = {
  name: 'Any other form',
  recognizedBy: [],
  about: 'every field by its label, in the languages below; a list of people one by one',
  isGuess: true,
  recognizes: () => true,
  split: splitPeople,
  read: (body) => {
    const id = idOf(body)
    const fields = fieldsOf(body)
    const person = personIn(body, personFrom(fields))
    const reason = guessIgnoredReason(body, fields, person)
    return reason === null ? leadOf(person, id) : ignoring(reason, id)
  },
}
