import { identifierAt, isRecord, type JsonRecord, lineAt, recordAt } from '../../sanitize/json-path.ts'
import { maxEntries } from '../bounds.ts'
import { isWrapper, mentionsBusiness } from '../containers.ts'
import { documentedFirst, isDocumentedInquiry } from '../documented-lead.ts'
import { collectFields } from '../form-fields.ts'
import type { FormField } from '../labeled-field.ts'
import { plainKey } from '../labels/plain-label.ts'
import { roleOf } from '../labels/role-of.ts'
import { guessIgnoredReason } from '../not-leads.ts'
import { hasContact } from '../object-kind.ts'
import { type Person, personFrom } from '../person.ts'
import { ignoring, type LeadReader, toLead } from './reader.ts'

const namedIds = (
  'lead_id leadId submission_id submissionID submissionId entry_id entryId response_id responseId external_id ' +
  'externalLeadId tranid UniqueID UNIQUE_QUERY_ID'
).split(' ')
const idKeys = new Set([...namedIds, 'Entry ID', 'id', 'FormID'])
const maxKeys = 50
const containers = ['data', 'payload', 'lead', 'submission', 'RESPONSE', 'body']

/** A bare `id` may be a hidden field of the form, so it identifies nothing. */
const idOf = (body: JsonRecord): string | null => {
  const records = [body, ...containers.flatMap((container) => recordAt(body, container) ?? [])]
  const id = records.map((record) => identifierAt(record, ...namedIds)).find((found) => found !== null)
  return id ?? identifierAt(body, 'Entry ID', 'lead.id', 'submission.id', 'data.submission.id', 'entry.id')
}

const fieldsOf = (body: JsonRecord) =>
  collectFields(documentedFirst(body)).filter(({ question }) => !idKeys.has(question))

const isReached = ({ email, phone }: Person) => email !== null || phone !== null

const aside = /^(?:\w{0,20}meta(?:data)?|context|hidden|extra|custom)$/

const mayBeContact = (text: string) => /@|\d{5}/.test(text.replace(/[\s().-]/g, ''))

/** Objects and lists of fields beside the person. Reading fields takes long, so one without a contact is not read. */
const asidesIn = (record: JsonRecord | null): readonly unknown[] =>
  Object.entries(record ?? {})
    .slice(0, maxKeys)
    .filter(
      ([key, value]) => typeof value === 'object' && aside.test(plainKey(key)) && mayBeContact(JSON.stringify(value)),
    )
    .map(([, value]) => value)

/** Payments and calls name the customer in their metadata, Formidable and WooCommerce put fields into `meta`. */
const personIn = (body: JsonRecord, person: Person): Person => {
  if (isReached(person)) return person
  const outer = [body, ...Object.values(body).filter(isRecord).slice(0, 20), recordAt(body, 'data.object')]
  const found = outer.flatMap(asidesIn)
  const isOfBusiness = ({ labels, value }: FormField) => mayBeContact(value) && labels.some(mentionsBusiness)
  const fieldsWith = (aside: unknown) => fieldsOf({ ...body, person: aside }).filter((field) => !isOfBusiness(field))
  return (
    found
      .slice(0, 3)
      .map((aside) => personFrom(fieldsWith(aside)))
      .find(isReached) ?? person
  )
}

const isPerson = (item: JsonRecord): boolean =>
  hasContact(item) ||
  Object.entries(item)
    .slice(0, 30)
    .some(([key, value]) => /^(?:email|phone)$/.test(roleOf(key) ?? '') || (isRecord(value) && hasContact(value)))

const mayBePeople = (key: string) => (isWrapper(key) || key === 'items') && !/attend|invit|guest|passenger/i.test(key)

/** MailerLite sends what happened to several people: `{type: 'subscriber.unsubscribe', data: {subscriber: {…}}}`. */
const isEvent = (item: JsonRecord): boolean => {
  const data = recordAt(item, 'data')
  return lineAt(item, 'event', 'type') !== null && (isPerson(item) || (data !== null && isPerson(data)))
}

/** A relay may send a list of leads next to a message for all of them. The guests of a meeting are one inquiry. */
const splitPeople = (body: JsonRecord): readonly JsonRecord[] => {
  if (isDocumentedInquiry(body)) return [body]
  for (const [key, value] of Object.entries(body).slice(0, maxKeys)) {
    if (!Array.isArray(value)) continue
    const people = value.slice(0, maxEntries).filter(isRecord)
    const isList = /^events$/i.test(key)
      ? people.length > 0 && people.every(isEvent)
      : mayBePeople(key) && people.length > 1 && people.every(isPerson)
    if (!isList) continue
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
    return reason === null ? toLead(person, id) : ignoring(reason, id)
  },
}
