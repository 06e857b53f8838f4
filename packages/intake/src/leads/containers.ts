import { isRecord, type JsonRecord } from '../sanitize/json-path.ts'
import { plainKey, wordsOf } from './labels/plain-label.ts'
import { isListed, isPersonWord } from './labels/words.ts'

// Names of objects and fields that identify whose fields they contain.

const partOfPerson = /(?:details?|info|information|data|fields|profile|attributes|record|object|created|updated|added)$/

/** `invitee_details` and `prospectInfo` hold a person as `details` does. */
const isPartOfPerson = (plain: string): boolean => {
  const owner = plain.replace(partOfPerson, '')
  return owner !== plain && (isPersonWord(owner) || isListed('otherPeople', owner))
}

/** An object around the fields of one person. In any other object, a `name` is the name of something else. */
export const isWrapper = (key: string): boolean => {
  const plain = plainKey(key)
  return isListed('wrappers', plain) || isPersonWord(key) || isPartOfPerson(plain) || /^\d+$/.test(key)
}

const mentions = (label: string, isListedWord: (word: string) => boolean): boolean => {
  const words = wordsOf(label)
  return words.some((word, index) => isListedWord(word) || isListedWord(word + (words[index + 1] ?? '')))
}

/** "appointment_created_by", "contactOwnerEmail": the address of another person. */
export const mentionsOtherParty = (label: string): boolean =>
  mentions(label, (word) => isListed('otherPartyWords', word))

/** A business or its staff: an address there is the person's only if there is no other. */
export const mentionsBusiness = (label: string): boolean => mentions(label, (word) => isListed('businesses', word))

export const isRecipientKey = (key: string): boolean => /^recipients?$/.test(plainKey(key))
export const isOtherPartyKey = (key: string): boolean => isListed('otherParties', plainKey(key))

const customers = ['contact', 'customer', 'visitor', 'lead', 'client', 'person', 'person_id', 'contact_id'] as const

const hasCustomer = (record: JsonRecord) => customers.some((customer) => isRecord(record[customer]))

/** An account with only an id and a name is the sender's account, unless there is a customer next to it. */
const isOwnAccount = (record: JsonRecord): boolean =>
  typeof record['event'] === 'string' &&
  !hasCustomer(record) &&
  isRecord(record['account']) &&
  Object.keys(record['account']).every((key) => key === 'id' || key === 'name')

/** Next to a contact, a `user` or a `member` is the employee who talked to them. */
export const isStaffBeside = (key: string, record: JsonRecord): boolean =>
  key === 'account' ? isOwnAccount(record) : (key === 'user' || key === 'member') && hasCustomer(record)

/** Ids and times of the delivery, of a form, a page, or an account. */
const bookkeeping =
  /^(?:form|page|site|event|workspace|account|list|post|element|formelement|portal|widget|template|organi[sz]ation)(?:id|uuid|key)$|^(?:created|updated|submitted|landed|received|fired|date|entry)(?:at|on|time|date|created|updated|submitted)$/

const secret = /token|captcha|csrf|nonce|honeypot|password/

/** Fields that a form carries for machines. Some are secret, so they never become answers. */
export const isTechnical = (label: string): boolean => {
  const plain = plainKey(label)
  return label.startsWith('_') || isListed('technical', plain) || secret.test(plain) || bookkeeping.test(plain)
}

/** Objects that describe the delivery and not the person. */
export const isSkipped = (key: string): boolean => isListed('skipped', plainKey(key)) || key.startsWith('__')
