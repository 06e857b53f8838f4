import { identifierAt, isRecord, type JsonRecord, lineAt } from '../../sanitise/json-path.ts'
import { entriesAt, fieldsAt } from '../bounded-lists.ts'
import { type FormField, labelledField } from '../labelled-field.ts'
import { personFrom } from '../person.ts'
import { ignoring, type LeadPlatform, leadFrom, oneLead } from './platform.ts'

const companyType = '0-2'

/** A field of a form belongs to the contact or to its company; both have a `name`. */
const fieldOf = (field: JsonRecord) => {
  const read = labelledField(field)
  if (read === null || lineAt(field, 'objectTypeId') !== companyType) return read
  return { ...read, labels: read.labels.map((label) => `company ${label}`), question: `company ${read.question}` }
}

/** A contact's address may stand with what it is known by alone. */
const identities = (body: JsonRecord): readonly FormField[] =>
  entriesAt(body, 'identity-profiles')
    .flatMap((profile) => entriesAt(profile, 'identities'))
    .filter((identity) => lineAt(identity, 'type') === 'EMAIL')
    .flatMap((identity) => ({ labels: ['email'], question: 'email', value: lineAt(identity, 'value') ?? '' }))

const formFields = (body: JsonRecord) => fieldsAt(body, 'fields')

/** A contact's own id is no id of an enquiry: the same person may ask again. */
export const hubspot: LeadPlatform = {
  name: 'hubspot',
  notes: {
    title: 'HubSpot: forms, contacts, workflows',
    recognisedBy: '`fields[].objectTypeId`; `properties` of a contact; `subscriptionType`',
    read: 'the fields of a form, a company’s apart from the contact’s; `properties`, as values or as `{value}`',
    ignored: 'subscriptions to objects, which name a contact by its id only',
  },
  recognises: ({ body }) =>
    formFields(body).some((field) => lineAt(field, 'objectTypeId') !== null) ||
    (lineAt(body, 'subscriptionType') !== null && identifierAt(body, 'objectId') !== null) ||
    (isRecord(body['properties']) && identifierAt(body, 'portal-id', 'vid') !== null),
  read: (body) => {
    if (lineAt(body, 'subscriptionType') !== null)
      return ignoring('details_not_included', identifierAt(body, 'objectId'))
    if (isRecord(body['properties'])) return leadFrom(body['properties'], { id: null, remarks: identities(body) })
    const fields = formFields(body).map(fieldOf)
    return oneLead(personFrom(fields.filter((field) => field !== null)), null)
  },
}
