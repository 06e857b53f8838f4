import { isEmailAddress, oneLine, prose } from '../../../untrusted/inert-text.ts'
import type { CapturedLead, LeadAnswer } from './captured-lead.ts'
import { phoneKey } from './contact-key.ts'
import { type FieldRole, isPlumbing, roleOf } from './field-labels.ts'
import type { FormField } from './form-fields.ts'

export type Person = Pick<CapturedLead, 'name' | 'email' | 'phone' | 'company' | 'message' | 'answers'>

const addressIn = (text: string) => {
  const address = oneLine(text).replace(/^mailto:/i, '')
  return isEmailAddress(address) ? address : null
}

/** What a value must look like to be taken for its role. What does not fit stays an answer, so that nobody's words are lost. */
const accept: Readonly<Record<FieldRole, (text: string) => string | null>> = {
  name: (text) => oneLine(text) || null,
  first: (text) => oneLine(text) || null,
  last: (text) => oneLine(text) || null,
  email: addressIn,
  phone: (text) => (phoneKey(text) === null ? null : oneLine(text)),
  company: (text) => oneLine(text) || null,
  message: (text) => prose(text).trim() || null,
}

const roleOfField = ({ labels }: FormField): FieldRole | null => {
  for (const label of labels) {
    const role = roleOf(label)
    if (role !== null) return role
  }
  return null
}

const fullName = (found: ReadonlyMap<FieldRole, string>): string | null => {
  const [name, first, last] = [found.get('name'), found.get('first'), found.get('last')]
  if (name === undefined) return [first, last].filter(Boolean).join(' ') || null
  // Some forms ask for "Name" and "Surname".
  return last !== undefined && first === undefined && !name.includes(last) ? `${name} ${last}` : name
}

const answerOf = ({ question, value }: FormField): LeadAnswer => ({
  question: oneLine(question).replaceAll('_', ' ').trim() || 'Answer',
  answer: prose(value).trim(),
})

type Sorted = { readonly found: ReadonlyMap<FieldRole, string>; readonly rest: readonly FormField[] }

/** The first value that fits a role has it. The same value again says nothing new; another one stays an answer. */
const sortByRole = (fields: readonly FormField[]): Sorted => {
  const found = new Map<FieldRole, string>()
  const rest: FormField[] = []
  for (const field of fields) {
    const role = roleOfField(field)
    const value = role === null || found.has(role) ? null : accept[role](field.value)
    if (role !== null && value !== null) found.set(role, value)
    else if (role === null || field.value.trim() !== found.get(role)) rest.push(field)
  }
  return { found, rest }
}

/** Sorts fields into a person and answers: everything that is not who somebody is was said by them and is kept. */
export const personFrom = (fields: readonly FormField[]): Person => {
  const { found, rest } = sortByRole(fields)
  // "How can we reach you?" may well be answered with an address.
  const stray = found.has('email') ? undefined : rest.find(({ value }) => addressIn(value) !== null)
  return {
    name: fullName(found),
    email: found.get('email') ?? (stray === undefined ? null : addressIn(stray.value)),
    phone: found.get('phone') ?? null,
    company: found.get('company') ?? null,
    message: found.get('message') ?? null,
    answers: rest.filter((field) => field !== stray && !isPlumbing(field.question)).map(answerOf),
  }
}

export const isAnybody = ({ name, email, phone }: Pick<Person, 'name' | 'email' | 'phone'>): boolean =>
  name !== null || email !== null || phone !== null
