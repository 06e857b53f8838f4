import { isRecord, type JsonRecord } from '../sanitise/json-path.ts'
import { plainKey, wordsOf } from './labels/plain-label.ts'

const setOf = (names: string) => new Set(names.split(/\s+/))

/** Wrappers around the fields of one person. In any other object a `name` is the name of something else. */
const wrappers = setOf(
  'data lead leads contact contacts customer customers person people user payload body fields formfields formdata formresponse ' +
    'formresponses formvalues formsubmission answers submission submissions attributes properties visitor client entry ' +
    'entries response responses record records value values rawrequest profile attendee attendees invitee invitees ' +
    'requester merges mergefields humanfields rawfields customfields customdata userdata personal personalinfo ' +
    'personaldetails contactinfo contactinformation contactdetails details info information params parameters inputs ' +
    'submitter respondent buyer applicant subscriber participant enquirer inquirer candidate result results ' +
    'submissiondata formcontent userinfo leaddata leaddetails contactdata questions rawpayload rawdata fielddata ' +
    'questionsandanswers json object item raw conversation ticket enquiry inquiry chat ' +
    'contactfields customerfields leadfields userfields profilefields memberfields subscriberfields personfields ' +
    'variables vars mergevariables customvariables inputvariables customattributes customproperties member current node ' +
    'guest donor patient student prospect parent purchaser shopper renter registrant booker traveler traveller passenger ' +
    'payer consumer author reporter signer billing shipping billingaddress shippingaddress deliveryaddress',
)

/** `invitee_details` and `prospectInfo` hold a person as `details` does. */
const personWrapper =
  /^(?:lead|contact|customer|person|user|visitor|client|attendee|invitee|requester|submitter|respondent|buyer|applicant|subscriber|participant|enquirer|inquirer|candidate|member|guest|booker|patient|prospect|employee|student|worker|passenger|traveller|traveler|caller|sender|donor|consumer|shopper|signer|signee)(?:details?|info|information|data|fields|profile|attributes|record|object|created|updated|added)$/

const personWords = setOf(
  'lead contact customer person visitor client attendee invitee requester submitter respondent buyer applicant subscriber ' +
    'participant enquirer inquirer candidate guest donor patient student prospect purchaser shopper renter registrant booker ' +
    'traveler traveller passenger payer consumer',
)

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
    'assigneduser assignedusers assignedagent assignedagents driver courier technician responsible',
)

const recipients = setOf('recipient recipients')

/** "appointment_created_by", "contactOwnerEmail": an address there is not the person's. */
const otherPartyWords = setOf(
  'owner agent provider staff host organizer organiser assigned assignee seller responsible createdby recipient',
)

/** Where a business or its staff stands: an address there is the person's only if no other is. */
const placeWords = setOf(
  'store shop restaurant hotel venue location branch office business company merchant vendor supplier dealer dealership ' +
    'agency clinic school property listing department team site account workspace employee employer manager broker realtor ' +
    'consultant advisor rep salesperson sales support doctor practitioner therapist instructor teacher trainer coach ' +
    'recruiter landlord technician driver operator admin bot event campaign project product',
)

const mentions = (label: string, telling: ReadonlySet<string>): boolean => {
  const words = wordsOf(label)
  return words.some((word, index) => telling.has(word) || telling.has(word + (words[index + 1] ?? '')))
}

export const mentionsOtherParty = (label: string): boolean => mentions(label, otherPartyWords)
export const mentionsPlace = (label: string): boolean => mentions(label, placeWords)

const customers = ['contact', 'customer', 'visitor', 'lead', 'client'] as const
/** Beside a contact, a `user` or a `member` is whoever talked to them. */
export const isStaffBeside = (key: string, record: JsonRecord): boolean =>
  (key === 'user' || key === 'member') && customers.some((customer) => isRecord(record[customer]))

export const isWrapper = (key: string): boolean => {
  const plain = plainKey(key)
  return wrappers.has(plain) || personWrapper.test(plain) || /^\d+$/.test(key)
}
export const isPersonWord = (key: string): boolean => personWords.has(plainKey(key))
export const isSkipped = (key: string): boolean => skipped.has(plainKey(key)) || key.startsWith('__')
export const isRecipient = (key: string): boolean => recipients.has(plainKey(key))
export const isOtherParty = (key: string): boolean => otherParties.has(plainKey(key))
