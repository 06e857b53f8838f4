import { type JsonRecord, lineAt } from '../sanitise/json-path.ts'
import { isWrapper, mentionsOtherParty } from './containers.ts'
import { halfName } from './labels/party-words.ts'
import { plainKey } from './labels/plain-label.ts'

// What an object tells of: a person, a company, a side that is ours.

const companyKeys = ['vat_number', 'vatNumber', 'vat_id']

const companyNames = [
  'company',
  'company_name',
  'companyName',
  'business_name',
  'businessName',
  'organization',
  'organisation',
]

const hasValue = (record: JsonRecord, key: string) => Object.hasOwn(record, key) && lineAt(record, key) !== null

/** Whatever has a number of its own in a register is called as a company is, unless the company has a name besides. */
export const isCompanyRecord = (record: JsonRecord): boolean =>
  (companyKeys.some((key) => hasValue(record, key)) || (hasValue(record, 'legal_name') && !hasValue(record, 'name'))) &&
  !companyNames.some((key) => Object.hasOwn(record, key))

const personKeys = [
  ...[
    'first_name',
    'firstName',
    'firstname',
    'first-name',
    'last_name',
    'lastName',
    'lastname',
    'last-name',
    'fullName',
  ],
  ...['full_name', 'FirstName', 'LastName', 'First Name', 'Last Name'],
]

/** Whoever has a first name is a person, whatever the objects around are called: its fields are known by their own names. */
export const isPersonal = (record: JsonRecord): boolean =>
  (Object.hasOwn(record, 'first') && Object.hasOwn(record, 'last')) ||
  personKeys.some((key) => Object.hasOwn(record, key)) ||
  firstKeysOf(record).some(isNameOfPerson)

const mostKeys = 20
const longestName = 24
const nameOfPerson = /(?:first|last|full|given|family)name$|name(?:first|last)$/
const firstKeysOf = (record: JsonRecord) => Object.keys(record).slice(0, mostKeys)
const isNameOfPerson = (key: string) => {
  const plain = key.length > longestName ? '' : plainKey(key)
  return halfName.test(plain) || (nameOfPerson.test(plain) && !mentionsOtherParty(key))
}

const contactKeys = [
  ...['email', 'Email', 'e-mail', 'phone', 'Phone', 'mobile', 'tel', 'company', 'first_name', 'firstName', 'firstname'],
  ...['first-name', 'last_name', 'lastName', 'lastname', 'last-name', 'FirstName', 'LastName'],
]

/** Whether an object itself has what a person has. Few keys are asked for, as this is asked of every object. */
export const hasContact = (record: JsonRecord): boolean => contactKeys.some((key) => Object.hasOwn(record, key))

/** An object around whoever it tells of: its own name is a form's, unless nothing inside has one. */
export const isEnvelope = (record: JsonRecord) =>
  !hasContact(record) &&
  Object.entries(record)
    .slice(0, 40)
    .some(([key, value]) => typeof value === 'object' && value !== null && isWrapper(key))

const kindKeys = ['type', 'kind', 'user_type', 'userType', 'sender_type', 'senderType', 'author_type'] as const
const ownKind = /^(?:agent|operator|staff|admin|bot|assistant|system|host|organi[sz]er)$/i
/** A person's role may be a job; these are roles in a conversation. */
const ownRole = /^(?:agent|operator|staff|assistant|system)$/i
const ownFlag = /^(?:is_?(?:owner|host|organi[sz]er|agent|me|self|own|bot|staff)|organi[sz]er)$/i

/** One of several who take part says of itself that it is ours: by a flag, or by what kind of user it is. */
export const isOwnParty = (record: JsonRecord): boolean =>
  firstKeysOf(record).some((key) => record[key] === true && ownFlag.test(key)) ||
  ownKind.test(lineAt(record, ...kindKeys) ?? '') ||
  ownRole.test(lineAt(record, 'role') ?? '')
