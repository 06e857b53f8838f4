import { type JsonRecord, lineAt } from '../sanitize/json-path.ts'
import { isWrapper, mentionsOtherParty } from './containers.ts'
import { plainKey } from './labels/plain-label.ts'
import { halfName } from './labels/words.ts'

// What an object is about: a person, or our own side.

const maxKeys = 40
const keysOf = (record: JsonRecord) => Object.keys(record).slice(0, maxKeys)

const maxNameLength = 24
const nameOfPerson = /(?:first|last|full|given|family)name$|name(?:first|last)$/

const isNameOfPerson = (key: string) => {
  const plain = key.length > maxNameLength ? '' : plainKey(key)
  return halfName.test(plain) || (nameOfPerson.test(plain) && !mentionsOtherParty(key))
}

/** Only people have a first name, so the keys of such an object can be trusted. */
export const isPersonal = (record: JsonRecord): boolean =>
  (Object.hasOwn(record, 'first') && Object.hasOwn(record, 'last')) || keysOf(record).some(isNameOfPerson)

const contactKey = /^(?:e-?mail|phone|mobile|tel|company|(?:first|last)[-_]?name)$/i

/** Whether the object has a contact field of a person. */
export const hasContact = (record: JsonRecord): boolean => keysOf(record).some((key) => contactKey.test(key))

/** An object around a person: its own name is the name of a form, unless the inner objects have none. */
export const isEnvelope = (record: JsonRecord): boolean =>
  !hasContact(record) &&
  keysOf(record).some((key) => typeof record[key] === 'object' && record[key] !== null && isWrapper(key))

const kindKeys = ['type', 'kind', 'user_type', 'userType', 'sender_type', 'senderType', 'author_type'] as const
const ownKind = /^(?:agent|operator|staff|admin|bot|assistant|system|host|organi[sz]er)$/i
/** The role of a person may be a job. These are roles in a conversation. */
const ownRole = /^(?:agent|operator|staff|assistant|system)$/i
const ownFlag = /^(?:is_?(?:owner|host|organi[sz]er|agent|me|self|own|bot|staff)|organi[sz]er)$/i

/** A participant that a flag or its kind marks as one of our own staff. */
export const isOwnParty = (record: JsonRecord): boolean =>
  keysOf(record).some((key) => record[key] === true && ownFlag.test(key)) ||
  ownKind.test(lineAt(record, ...kindKeys) ?? '') ||
  ownRole.test(lineAt(record, 'role') ?? '')
