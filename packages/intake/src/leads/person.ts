import { oneLine, prose } from '../sanitize/sanitize-text.ts'
import { markCallParties } from './call-parties.ts'
import type { CapturedLead, LeadAnswer } from './captured-lead.ts'
import { contactParts, contactWithin } from './contact-line.ts'
import { preferContactObject } from './contact-object.ts'
import { isTechnical } from './containers.ts'
import type { FormField } from './labeled-field.ts'
import { wordsOf } from './labels/plain-label.ts'
import type { FieldRole } from './labels/roles.ts'
import { accept, addressIn, getUnusedFields, type MatchedRoles, matchRoles, nameBeside } from './role-matches.ts'
import { unlabeledContact, unlabeledMessage, unlabeledName } from './unlabeled.ts'

export type Person = Pick<CapturedLead, 'name' | 'email' | 'phone' | 'company' | 'message' | 'answers'>

const toAnswer = ({ question, value }: FormField): LeadAnswer => ({
  question: oneLine(question).replaceAll('_', ' ').trim() || 'Answer',
  answer: prose(value).trim(),
})

/** `Name: {First, Last}` is a part of the object around it. */
const ownName = /(?:^|\.)name$/i

/** Next to a first name, a last name, and an address, a nested `name` belongs to an account or a product. */
const isNameOfPart = ({ found }: MatchedRoles): boolean => {
  const ownerOf = (role: FieldRole) => found.get(role)?.field.location?.owner.replace(ownName, '')
  const [name, first] = [ownerOf('name'), ownerOf('first')]
  if (name === undefined || first === undefined || first !== ownerOf('last') || name === first) return false
  return first === '' || name.startsWith(`${first}.`) || first === ownerOf('email') || first === ownerOf('phone')
}

/** `Ann Lee <ann@example.com>`, as in email headers. */
const nameOfAddress = (fields: readonly FormField[], address: string | null): string | null => {
  const named = fields.find(({ value }) => value.trim().endsWith('>') && addressIn(value) === address)
  return address === null || named === undefined ? null : nameBeside(named.value)
}

/** Chinese, Japanese, and Korean write the family name first. */
const eastAsian = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\s]+$/u

const joined = (first: string | null, last: string | null): string | null => {
  const parts = [first, last].filter((part) => part !== null)
  return (eastAsian.test(parts.join('')) ? parts.toReversed() : parts).join(' ') || null
}

/** Some forms ask for "Name" and "Surname", others for "Prénom" and "Nom": then "Name" is the other half. */
const fullName = (name: string | null, first: string | null, last: string | null): string | null => {
  if (name === null) return joined(first, last)
  if (last !== null && first === null && !name.includes(last)) return joined(name, last)
  return first !== null && last === null && !name.includes(first) ? joined(first, name) : name
}

const personIn = (sent: readonly FormField[]): Person => {
  const matched = matchRoles(markCallParties(sent.flatMap(contactParts)))
  const { email, phone } = unlabeledContact(matched)
  const contacts = [matched.found.get('email')?.field ?? email, matched.found.get('phone')?.field ?? phone]
  const reached = contacts.filter((contact) => contact !== undefined)
  const preferred = preferContactObject(matched, reached)
  const name = unlabeledName(preferred, reached[0])
  const messageField = unlabeledMessage(preferred)
  const valueFor = (role: FieldRole, unlabeled?: FormField) =>
    preferred.found.get(role)?.value ?? (unlabeled === undefined ? null : accept[role](unlabeled.value))
  const wholeName = isNameOfPart(preferred) ? null : valueFor('name', name)
  const message = valueFor('message', messageField)
  const written = reached.length === 0 && message !== null ? contactWithin(message) : null
  const address = valueFor('email', email) ?? written?.email ?? null
  const isUsed = (field: FormField) =>
    [phone, name, messageField].includes(field) || (field === email && addressIn(field.value) !== null)
  const answers = getUnusedFields(preferred).filter((field) => !isUsed(field) && !isTechnical(field.question))
  return {
    name: fullName(wholeName, valueFor('first'), valueFor('last')) ?? nameOfAddress(preferred.fields, address),
    email: address,
    phone: valueFor('phone', phone) ?? written?.phone ?? null,
    company: valueFor('company'),
    message,
    answers: answers.map(toAnswer),
  }
}

export const isIdentified = ({ name, email, phone }: Person): boolean =>
  name !== null || email !== null || phone !== null

const parties = new Set(['owner', 'host', 'organizer', 'organiser', 'agent'])

/** `owner_name` → `name`; undefined for other labels. */
const labelWithoutParty = (label: string): string | undefined => {
  const [whose = '', ...what] = wordsOf(label)
  return what.length > 0 && parties.has(whose) ? what.join(' ') : undefined
}

const isAtTop = ({ location }: FormField) => location?.owner === ''
const withoutParty = (field: FormField): FormField =>
  isAtTop(field) ? { ...field, labels: field.labels.map((label) => labelWithoutParty(label) ?? label) } : field

/**
 * Sorts fields into a person and answers, without losing any value. If no person can be reached, the recipient of a
 * delivery or a message is the person, or the owner, host, or agent who wrote the message of a form.
 */
export const personFrom = (fields: readonly FormField[]): Person => {
  const person = personIn(fields)
  if (person.email !== null || person.phone !== null) return person
  if (!isIdentified(person) && fields.some(({ isRecipient }) => isRecipient))
    return personIn(fields.map((field) => (field.isRecipient ? { ...field, isOtherParty: false } : field)))
  const isOfParty = fields.some((field) => isAtTop(field) && labelWithoutParty(field.labels[0] ?? '') !== undefined)
  return person.message !== null && isOfParty ? personIn(fields.map(withoutParty)) : person
}
