import { isRecord, type JsonRecord } from '../sanitise/json-path.ts'
import { isBusinessWord, isPersonWord } from './labels/party-words.ts'
import { plainKey, wordsOf } from './labels/plain-label.ts'

const setOf = (names: string) => new Set(names.split(/\s+/))

/** Wrappers around the fields of one person, besides what people are called. In any other object a `name` is the name of something else. */
const wrappers = setOf(
  'data leads contacts customers people user payload body fields formfields formdata formresponse formresponses ' +
    'formvalues formsubmission answers submission submissions attributes properties entry entries response ' +
    'responses record records value values rawrequest profile attendees invitees merges mergefields humanfields ' +
    'rawfields customfields customdata userdata personal personalinfo personaldetails contactinfo ' +
    'contactinformation contactdetails details info information params parameters inputs result results ' +
    'submissiondata formcontent userinfo leaddata leaddetails contactdata questions rawpayload rawdata fielddata ' +
    'questionsandanswers json object item raw conversation ticket enquiry inquiry chat contactfields ' +
    'customerfields leadfields userfields profilefields memberfields subscriberfields personfields variables vars ' +
    'mergevariables customvariables inputvariables customattributes customproperties member current node parent ' +
    'author reporter signer embedded request source add wpforms billing shipping delivery dropoff billingaddress shippingaddress deliveryaddress',
)

const partOfPerson = /(?:details?|info|information|data|fields|profile|attributes|record|object|created|updated|added)$/
const otherPeople = setOf('user member employee worker caller sender signer signee delivery dropoff')

/** `invitee_details` and `prospectInfo` hold a person as `details` does. */
const isPartOfPerson = (plain: string): boolean => {
  const whose = plain.replace(partOfPerson, '')
  return whose !== plain && (isPersonWord(whose) || otherPeople.has(whose))
}

/** What belongs to the delivery and not to the person. */
const skipped = setOf(
  'meta metadata context headers definition hidden settings schema widget options choices validations links relationships ' +
    'versions identityprofiles previous previousattributes previousdata previousvalues submissionmeta theme styles scoring formmeta layout fieldstructure formstructure logic',
)

/** Whoever stands there is not the person who got in touch. */
const otherParties = setOf(
  'organizer organiser organizers host hosts owner agent assignedto extendedassignedto assignee staff createdby updatedby ' +
    'eventmemberships scheduledevent eventguests guests salesrep representative associatedcompany advertiser team ' +
    'recipient recipients to receiver destination modifier operator actor admin channel inbox mailbox ' +
    'assigneduser assignedusers assignedagent assignedagents driver courier technician responsible creatoruser owneruser',
)

const recipients = setOf('recipient recipients')

/** "appointment_created_by", "contactOwnerEmail": an address there is not the person's. */
const otherPartyWords = setOf(
  'owner agent provider staff host organizer organiser assigned assignee seller setter closer responsible createdby recipient',
)

const mentions = (label: string, isTelling: (word: string) => boolean): boolean => {
  const words = wordsOf(label)
  return words.some((word, index) => isTelling(word) || isTelling(word + (words[index + 1] ?? '')))
}

export const mentionsOtherParty = (label: string): boolean => mentions(label, (word) => otherPartyWords.has(word))

/** Where a business or its staff stands: an address there is the person's only if no other is. */
export const mentionsBusiness = (label: string): boolean => mentions(label, isBusinessWord)

const customers = ['contact', 'customer', 'visitor', 'lead', 'client', 'person', 'person_id', 'contact_id'] as const

const hasCustomer = (record: JsonRecord) => customers.some((customer) => isRecord(record[customer]))

/** An account that has an id and a name alone is whose the event is, where no customer stands beside it. */
const isOwnAccount = (record: JsonRecord): boolean =>
  typeof record['event'] === 'string' &&
  !hasCustomer(record) &&
  isRecord(record['account']) &&
  Object.keys(record['account']).every((key) => key === 'id' || key === 'name')

/** Beside a contact, a `user` or a `member` is whoever talked to them. */
export const isStaffBeside = (key: string, record: JsonRecord): boolean =>
  key === 'account' ? isOwnAccount(record) : (key === 'user' || key === 'member') && hasCustomer(record)

export const isWrapper = (key: string): boolean => {
  const plain = plainKey(key)
  return wrappers.has(plain) || isPersonWord(key) || isPartOfPerson(plain) || /^\d+$/.test(key)
}
export const isSkipped = (key: string): boolean => skipped.has(plainKey(key)) || key.startsWith('__')
export const isRecipient = (key: string): boolean => recipients.has(plainKey(key))
export const isOtherParty = (key: string): boolean => otherParties.has(plainKey(key))
