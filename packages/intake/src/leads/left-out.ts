import { isRecord, type JsonRecord } from '../sanitise/json-path.ts'
import { emailKey } from './contact-key.ts'
import { isSkipped } from './containers.ts'
import { isPersonWord } from './labels/party-words.ts'
import { readLabel } from './labels/role-of.ts'
import { isTechnicalField } from './labels/technical-fields.ts'
import { hasContact, isPersonal } from './object-kind.ts'

/** What is told of a delivery may be who it is about, and who called. */
const isPersonIn = (key: string, value: unknown) =>
  /^meta/i.test(key) && isRecord(value) && (isPersonal(value) || Object.entries(value).some(isWhoItIsAbout))

const isWhoItIsAbout = ([key, value]: readonly [string, unknown]) =>
  isRecord(value) && (/^phone_?call$/i.test(key) || ((key === 'sender' || isPersonWord(key)) && hasContact(value)))

/** What a resource of HAL has within itself. */
const isEmbedded = (key: string) => key === '_embedded'

/** Payments and calls are told whose they are by their metadata. */
const isAddressIn = (value: unknown) =>
  isRecord(value) && Object.values(value).some((text) => typeof text === 'string' && emailKey(text) !== null)

const isMetadata = (key: string, value: unknown) => /^meta/i.test(key) && isAddressIn(value)

const deepestMetadata = 4
const mostKeys = 60

/** Whether somebody's address stands among what is told of the delivery. */
export const hasMetadata = (record: JsonRecord, depth = deepestMetadata): boolean =>
  Object.entries(record)
    .slice(0, mostKeys)
    .some(([key, value]) => isMetadata(key, value) || (depth > 0 && isRecord(value) && hasMetadata(value, depth - 1)))

/** Formspree's `_replyto` is an address, and Intercom's `source` has the author of what was said. */
const tellsOfPerson = (key: string, value: unknown) => {
  if (isEmbedded(key)) return true
  return isRecord(value)
    ? key === 'source' && isRecord(value['author'])
    : /^_\w/.test(key) && readLabel(key)?.role === 'email'
}

/** What belongs to the delivery, and nobody who got in touch is told of. */
export const isLeftOut = (key: string, value: unknown, readsMetadata: boolean): boolean => {
  if (isTechnicalField(key)) return !tellsOfPerson(key, value)
  return isSkipped(key) && !isPersonIn(key, value) && !(readsMetadata && isMetadata(key, value))
}
