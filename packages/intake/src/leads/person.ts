import { oneLine, prose } from '../sanitise/sanitise-text.ts'
import type { CapturedLead, LeadAnswer } from './captured-lead.ts'
import { accept, addressIn, nameBeside, nameIn, restOf, type Sorted, sortByRole } from './claims.ts'
import { contactParts } from './contact-line.ts'
import { fullName } from './full-name.ts'
import { type Contact, preferHome } from './home.ts'
import type { FormField } from './labelled-field.ts'
import { isPlumbing } from './labels/plumbing.ts'
import type { FieldRole } from './labels/roles.ts'
import { withSides } from './sides.ts'
import { type Strays, strayMessage, strayName, straysOf } from './strays.ts'

export type Person = Pick<CapturedLead, 'name' | 'email' | 'phone' | 'company' | 'message' | 'answers'>

const answerOf = ({ question, value }: FormField): LeadAnswer => ({
  question: oneLine(question).replaceAll('_', ' ').trim() || 'Answer',
  answer: prose(value).trim(),
})

/** `Name: {First, Last}` is a part of what is around it. */
const ownName = /(?:^|\.)name$/i

/** Whoever has both halves of a name, and an address beside them, is not called as an account or an article elsewhere is. */
const isNameOfPart = ({ found }: Sorted): boolean => {
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

const contactsOf = ({ found }: Sorted, strays: Strays): readonly Contact[] =>
  (['email', 'phone'] as const).flatMap((role) => {
    const field = found.get(role)?.field ?? strays[role]
    return field === undefined ? [] : [{ field, isSure: found.has(role) }]
  })

const personIn = (fields: readonly FormField[]): Person => {
  const claimed = sortByRole(withSides(fields.flatMap(contactParts)))
  const strays = straysOf(claimed)
  const { email, phone } = strays
  const sorted = preferHome(claimed, contactsOf(claimed, strays))
  const stray = strayName(sorted, strays)
  const valueFor = (role: FieldRole) => sorted.found.get(role)?.value ?? null
  const said = strayMessage(sorted)
  const given = isNameOfPart(sorted) ? null : valueFor('name')
  const name = given ?? (stray === undefined ? null : nameIn(stray.value))
  const address = valueFor('email') ?? (email === undefined ? null : accept.email(email.value))
  return {
    name: fullName({ name, first: valueFor('first'), last: valueFor('last') }) ?? nameOfAddress(sorted.fields, address),
    email: address,
    phone: valueFor('phone') ?? (phone === undefined ? null : accept.phone(phone.value)),
    company: valueFor('company'),
    message: valueFor('message') ?? (said === undefined ? null : accept.message(said.value)),
    answers: restOf(sorted)
      .filter(
        (field) =>
          (field !== email || addressIn(field.value) === null) &&
          field !== phone &&
          field !== stray &&
          field !== said &&
          !isPlumbing(field.question),
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
