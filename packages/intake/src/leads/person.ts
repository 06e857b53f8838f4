import { oneLine, prose } from '../sanitise/sanitise-text.ts'
import { withCallParties } from './call-parties.ts'
import type { CapturedLead, LeadAnswer } from './captured-lead.ts'
import { contactParts } from './contact-line.ts'
import { preferContactObject } from './contact-object.ts'
import { isTechnical } from './containers.ts'
import { fullName } from './full-name.ts'
import type { FormField } from './labelled-field.ts'
import type { FieldRole } from './labels/roles.ts'
import { accept, addressIn, type MatchedRoles, matchRoles, nameBeside, nameIn, restOf } from './role-matches.ts'
import { type Unlabelled, unlabelledIn, unlabelledMessage, unlabelledName } from './unlabelled.ts'

export type Person = Pick<CapturedLead, 'name' | 'email' | 'phone' | 'company' | 'message' | 'answers'>

const answerOf = ({ question, value }: FormField): LeadAnswer => ({
  question: oneLine(question).replaceAll('_', ' ').trim() || 'Answer',
  answer: prose(value).trim(),
})

/** `Name: {First, Last}` is a part of what is around it. */
const ownName = /(?:^|\.)name$/i

/** Whoever has both halves of a name, and an address beside them, is not called as an account or an article elsewhere is. */
const isNameOfPart = ({ found }: MatchedRoles): boolean => {
  const ownerOf = (role: FieldRole) => found.get(role)?.field.place?.owner.replace(ownName, '')
  const [name, first] = [ownerOf('name'), ownerOf('first')]
  if (name === undefined || first === undefined || first !== ownerOf('last') || name === first) return false
  return first === '' || name.startsWith(`${first}.`) || first === ownerOf('email') || first === ownerOf('phone')
}

/** `Ann Lee <ann@example.com>`, as mail has it. */
const nameOfAddress = (fields: readonly FormField[], address: string | null): string | null => {
  const named = fields.find(({ value }) => value.trim().endsWith('>') && addressIn(value) === address)
  return address === null || named === undefined ? null : nameBeside(named.value)
}

const personIn = (fields: readonly FormField[]): Person => {
  const matched = matchRoles(withCallParties(fields.flatMap(contactParts)))
  const unlabelled = unlabelledIn(matched)
  const { email, phone } = unlabelled
  const contacts = [matched.found.get('email')?.field ?? email, matched.found.get('phone')?.field ?? phone]
  const preferred = preferContactObject(matched, contacts.filter((contact) => contact !== undefined))
  const nameField = unlabelledName(preferred, unlabelled)
  const valueFor = (role: FieldRole) => preferred.found.get(role)?.value ?? null
  const said = unlabelledMessage(preferred)
  const given = isNameOfPart(preferred) ? null : valueFor('name')
  const name = given ?? (nameField === undefined ? null : nameIn(nameField.value))
  const address = valueFor('email') ?? (email === undefined ? null : accept.email(email.value))
  return {
    name:
      fullName({ name, first: valueFor('first'), last: valueFor('last') }) ?? nameOfAddress(preferred.fields, address),
    email: address,
    phone: valueFor('phone') ?? (phone === undefined ? null : accept.phone(phone.value)),
    company: valueFor('company'),
    message: valueFor('message') ?? (said === undefined ? null : accept.message(said.value)),
    answers: restOf(preferred)
      .filter(
        (field) =>
          (field !== email || addressIn(field.value) === null) &&
          field !== phone &&
          field !== nameField &&
          field !== said &&
          !isTechnical(field.question),
      )
      .map(answerOf),
  }
}

export const isAnybody = ({ name, email, phone }: Pick<Person, 'name' | 'email' | 'phone'>): boolean =>
  name !== null || email !== null || phone !== null

/**
 * Sorts fields into a person and answers: everything that is not who somebody is was said by them and is kept. What tells
 * of nobody but whom it is brought or sent to is about them.
 */
export const personFrom = (fields: readonly FormField[]): Person => {
  const person = personIn(fields)
  if (isAnybody(person) || !fields.some(({ isAddressed }) => isAddressed)) return person
  return personIn(fields.map((field) => (field.isAddressed ? { ...field, isOthers: false } : field)))
}
