import { oneLine, prose } from '../sanitise/sanitise-text.ts'
import type { CapturedLead, LeadAnswer } from './captured-lead.ts'
import { accept, addressIn, nameIn, preferHome, restOf, type Sorted, sortByRole } from './claims.ts'
import { fullName } from './full-name.ts'
import type { FormField } from './labelled-field.ts'
import { isPlumbing } from './labels/plumbing.ts'
import type { FieldRole } from './labels/roles.ts'
import { withSides } from './sides.ts'
import { strayName, straysOf } from './strays.ts'

export type Person = Pick<CapturedLead, 'name' | 'email' | 'phone' | 'company' | 'message' | 'answers'>

const answerOf = ({ question, value }: FormField): LeadAnswer => ({
  question: oneLine(question).replaceAll('_', ' ').trim() || 'Answer',
  answer: prose(value).trim(),
})

/** Whoever has both halves of a name, and an address beside them, is not called as an account or an article elsewhere is. */
const isNameOfPart = ({ found }: Sorted): boolean => {
  const ownerOf = (role: FieldRole) => found.get(role)?.field.place?.owner
  const [name, first] = [ownerOf('name'), ownerOf('first')]
  if (name === undefined || first === undefined || first !== ownerOf('last') || name === first) return false
  return first === '' || name.startsWith(`${first}.`) || first === ownerOf('email') || first === ownerOf('phone')
}

const personIn = (fields: readonly FormField[]): Person => {
  const claimed = sortByRole(withSides(fields))
  const strays = straysOf(claimed)
  const { email, phone } = strays
  const contacts = [claimed.found.get('email')?.field ?? email, claimed.found.get('phone')?.field ?? phone]
  const sorted = preferHome(claimed, contacts)
  const stray = strayName(sorted, strays)
  const valueFor = (role: FieldRole) => sorted.found.get(role)?.value ?? null
  const given = isNameOfPart(sorted) ? null : valueFor('name')
  const name = given ?? (stray === undefined ? null : nameIn(stray.value))
  return {
    name: fullName({ name, first: valueFor('first'), last: valueFor('last') }),
    email: valueFor('email') ?? (email === undefined ? null : addressIn(email.value)),
    phone: valueFor('phone') ?? (phone === undefined ? null : accept.phone(phone.value)),
    company: valueFor('company'),
    message: valueFor('message'),
    answers: restOf(sorted)
      .filter((field) => field !== email && field !== phone && field !== stray && !isPlumbing(field.question))
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
