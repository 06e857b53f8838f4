import { identifierAt, isRecord, type JsonRecord, lineAt } from '../../sanitise/json-path.ts'
import { mostLeads } from '../bounded-lists.ts'
import { isOwnMessage } from '../call-parties.ts'
import type { PlatformReading } from '../captured-lead.ts'
import { isWrapper } from '../containers.ts'
import { collectFields } from '../form-fields.ts'
import type { FormField } from '../labelled-field.ts'
import { readLabel } from '../labels/role-of.ts'
import { hasMetadata } from '../left-out.ts'
import { hasContact } from '../object-kind.ts'
import { type Person, personFrom } from '../person.ts'
import { shareFields } from '../reading-budget.ts'
import { writtenFields } from '../written-fields.ts'
import { ignoring, type LeadPlatform, oneLead, readEach } from './platform.ts'

const namedIds = [
  ...['lead_id', 'leadId', 'submission_id', 'submissionID', 'submissionId', 'entry_id', 'entryId', 'response_id'],
  ...['responseId', 'external_id', 'externalLeadId', 'tranid', 'UNIQUE_QUERY_ID', 'Entry ID'],
] as const
const around = ['', 'data.', 'payload.', 'lead.', 'submission.', 'RESPONSE.', 'body.'] as const

const idKeys = new Set<string>([...namedIds, 'id'])

const idPaths = [
  ...around.flatMap((place) => namedIds.map((key) => `${place}${key}`)),
  ...['id', 'lead.id', 'submission.id', 'data.submission.id', 'entry.id'],
]

// Ids say which enquiry this is and nothing about the person.
const isId = (question: string) => idKeys.has(question)

/** Meta's test tool fills every field with "<test lead: dummy data for full_name>". */
const isDummy = (value: string) => value.startsWith('<test lead:')

const kindPaths = ['', 'data.', 'event.', 'payload.'].flatMap((place) =>
  ['event', 'type', 'event_type', 'eventType', 'eventName', 'event_name'].map((key) => `${place}${key}`),
)
/** `typing_indicator.received`, `message-delivered`: how a program names it. */
const stateOfMessage =
  /(?:^|[._:/-])(?:typing|composing|presence|read[._-]?receipts?|deliver(?:y|ed)[._-]?(?:report|receipt|status)|(?:message|msg|sms|mms)[._-]?(?:status|ack|read|seen|delivered|undelivered|queued|failed))(?:[._-]?(?:indicator|start(?:ed)?|stop(?:ped)?|on|off|event|callback))?(?:[._-]?(?:received|updated?))?$/i

/** `subscriber.unsubscribed`, `contact_deleted`: somebody goes, and asks for nothing. */
const leaving =
  /(?:^|[._:/-])(?:contact|subscriber|lead|person|customer|member|user|profile|subscription)s?[._:/-](?:deleted|removed|destroyed|unsubscribed|forgotten)$|^(?:deleted|removed|unsubscribed)[._:/-](?:contact|lead|person|customer|subscriber|member)$/i

/** Mailchimp says only `unsubscribe`, beside the list and the time. */
const isLeaving = (body: JsonRecord) =>
  leaving.test(lineAt(body, ...kindPaths) ?? '') ||
  (/^(?:unsubscribe|cleaned)$/.test(lineAt(body, 'type') ?? '') &&
    lineAt(body, 'fired_at') !== null &&
    identifierAt(body, 'data.list_id') !== null)

/** Whoever fills in a form says who they are, and may ask about a delivery, or come to a workshop on typing. */
const isNote = ({ email, name, message }: Person) => email === null && (name === null || message === null)

/** Somebody types, has read or was reached: nobody said anything. */
const isStateOfMessage = (body: JsonRecord, person: Person) =>
  isNote(person) && stateOfMessage.test(lineAt(body, ...kindPaths) ?? '')

const isReached = ({ email, phone }: Person) => email !== null || phone !== null

/** A program that tells of somebody sends from an address of its own. */
const automated = /^(?:no[._-]?reply|do[._-]?not[._-]?reply|wordpress|notifications?|mailer-daemon)(?:[+@-]|$)/i

const personInText = (fields: readonly FormField[]): Person | null => {
  const written = fields.flatMap((field) => (field.isOthers ? [] : [{ field, of: writtenFields(field.value) }]))
  const text = written.find(({ of }) => of.length > 0)
  return text === undefined ? null : personFrom([...fields.filter((field) => field !== text.field), ...text.of])
}

const personInMetadata = (body: JsonRecord): Person | null => {
  if (!hasMetadata(body)) return null
  const person = personFrom(collectFields(body, { readsMetadata: true }).filter(({ question }) => !isId(question)))
  return isReached(person) ? person : null
}

/** In a text that holds a form, or among what is told of the delivery, whoever is found nowhere else. */
const personOf = (body: JsonRecord, fields: readonly FormField[]): Person => {
  const nearest = personFrom(fields)
  if (!isReached(nearest)) return personInText(fields) ?? personInMetadata(body) ?? nearest
  return automated.test(nearest.email ?? '') ? (personInText(fields) ?? nearest) : nearest
}

const readOne = (body: JsonRecord) => {
  if (isLeaving(body)) return ignoring('withdrawn', identifierAt(body, ...idPaths))
  const fields = collectFields(body).filter(({ question }) => !isId(question))
  const id = identifierAt(body, ...idPaths)
  if (fields.some(({ value }) => isDummy(value))) return ignoring('test_lead', id)
  const person = personOf(body, fields)
  if (person.email === null && isOwnMessage(fields)) return ignoring('echo', id)
  return isStateOfMessage(body, person) ? ignoring('status_update', id) : oneLead(person, id)
}

const isContactKey = (key: string) => ['email', 'phone'].includes(readLabel(key)?.role ?? '')

const isPerson = (item: JsonRecord): boolean =>
  hasContact(item) ||
  Object.keys(item).slice(0, 30).some(isContactKey) ||
  Object.values(item)
    .slice(0, 30)
    .some((value) => isRecord(value) && hasContact(value))

type People = { readonly people: readonly JsonRecord[]; readonly message: string | null }

/** A relay may send many leads in one list, and what they all said beside it. The attendees of one meeting are one enquiry. */
const peopleIn = (body: JsonRecord): People => {
  for (const [key, value] of Object.entries(body).slice(0, 50)) {
    if (
      !Array.isArray(value) ||
      value.length < 2 ||
      !(isWrapper(key) || key === 'items') ||
      /attend|invit|guest|passenger/i.test(key)
    )
      continue
    const people = value.slice(0, mostLeads).filter(isRecord)
    if (people.length > 1 && people.every(isPerson))
      return { people, message: personFrom(collectFields({ ...body, [key]: null })).message }
  }
  return { people: [], message: null }
}

const withMessage = ({ leads, ignored }: PlatformReading, message: string | null): PlatformReading => ({
  leads: leads.map((lead) => ({ ...lead, message: lead.message ?? message })),
  ignored,
})

/** The documented body (name, email, phone, company, message) and whatever a form builder makes of it. Takes everything. */
export const form: LeadPlatform = {
  name: 'form',
  notes: {
    title: 'Any other form',
    recognisedBy: 'nothing above',
    read: 'every field by its label, in the languages below; a list of people one by one; a form within one text, and whoever metadata names, where nobody is found otherwise',
    ignored:
      'notes that somebody types, has read or was reached; messages that we wrote; contacts that were deleted or unsubscribed',
  },
  recognises: () => true,
  read: (body) => {
    const { people, message } = peopleIn(body)
    if (people.length === 0) return readOne(body)
    shareFields(people.length)
    return withMessage(readEach(people, readOne), message)
  },
}
