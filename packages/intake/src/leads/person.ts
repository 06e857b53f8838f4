import { isEmailAddress } from '@service/contract'
import { oneLine, prose } from '../sanitise/sanitise-text.ts'
import type { CapturedLead, LeadAnswer } from './captured-lead.ts'
import { looksLikePhone, phoneKey, writtenPhone } from './contact-key.ts'
import { mentionsOtherParty } from './containers.ts'
import { fullName } from './full-name.ts'
import type { FormField } from './labelled-field.ts'
import { plainKey } from './labels/plain-label.ts'
import { isPlumbing } from './labels/plumbing.ts'
import { isHalfAName, mentionsPhone, readLabel } from './labels/role-of.ts'
import type { FieldRole } from './labels/roles.ts'
import { strayCaller, withoutOurs, withSides } from './sides.ts'

export type Person = Pick<CapturedLead, 'name' | 'email' | 'phone' | 'company' | 'message' | 'answers'>

const addressIn = (text: string) => {
  const address = oneLine(text).replace(/^mailto:/i, '')
  return isEmailAddress(address) ? address : null
}
const numberIn = (text: string) => (phoneKey(text) === null ? null : oneLine(writtenPhone(text)))

const mostOfOneKind = 10

/** Whoever has several addresses or numbers has the first of them. */
const firstOf =
  (read: (text: string) => string | null) =>
  (text: string): string | null =>
    read(text) ??
    text
      .split(/[,;\n]/, mostOfOneKind)
      .map((part) => read(part.trim()))
      .find((part) => part !== null) ??
    null

/** A time is nobody's name, whatever "last contact" sounds like; an address of the web and a number are none. */
const noName = /^\d{4}-\d\d-\d\d|^https?:\/\/|^[^\p{L}]{0,80}$/iu
const nameIn = (text: string) => (noName.test(text.trim()) ? null : oneLine(text) || null)

/** What a value must look like to be taken for its role. What does not fit stays an answer, so that nobody's words are lost. */
const accept: Readonly<Record<FieldRole, (text: string) => string | null>> = {
  name: nameIn,
  first: nameIn,
  last: nameIn,
  email: firstOf(addressIn),
  phone: firstOf(numberIn),
  company: (text) => oneLine(text) || null,
  message: (text) => prose(text).trim() || null,
}

type Claim = { readonly field: FormField; readonly role: FieldRole; readonly doubt: number; readonly value: string }

/** Every role that a label of the field names and its value fits, the least doubtful first. */
const claimOf = (field: FormField): Claim | null => {
  let best: Claim | null = null
  for (const label of field.isOthers ? [] : field.labels) {
    const reading = readLabel(label)
    const doubt = (reading?.doubt ?? 0) + (field.isOuter ? 2 : 0)
    if (reading === null || (best !== null && best.doubt <= doubt)) continue
    const value = accept[reading.role](field.value)
    if (value !== null) best = { field, role: reading.role, doubt, value }
  }
  return best
}

const answerOf = ({ question, value }: FormField): LeadAnswer => ({
  question: oneLine(question).replaceAll('_', ' ').trim() || 'Answer',
  answer: prose(value).trim(),
})

/** The others that stood beside it are kept as an answer. */
const isOneOfSeveral = ({ role, field, value }: Claim): boolean =>
  (role === 'email' || role === 'phone') &&
  /[,;\n]/.test(field.value.trim()) &&
  field.value.trim().length > value.length + 2

type Sorted = { readonly found: ReadonlyMap<FieldRole, Claim>; readonly rest: readonly FormField[] }

/** The least doubtful field of a role has it, of equals the first. The same value again says nothing new. */
const sortByRole = (fields: readonly FormField[]): Sorted => {
  const claims = fields.map(claimOf)
  const found = new Map<FieldRole, Claim>()
  for (const claim of claims) {
    if (claim !== null && claim.doubt < (found.get(claim.role)?.doubt ?? Number.POSITIVE_INFINITY))
      found.set(claim.role, claim)
  }
  const first = found.get('first')
  if (first !== undefined && !found.has('last') && first.field.labels.every(isHalfAName)) found.delete('first')
  const rest = fields.filter((field, index) => {
    const claim = claims[index] ?? null
    const winner = claim === null ? undefined : found.get(claim.role)
    if (winner === undefined) return true
    return winner.field === field ? isOneOfSeveral(winner) : winner.value !== claim?.value
  })
  return { found, rest }
}

/** "How can we reach you?" may be answered with an address, and "3" is what Gravity Forms calls a field. */
const strayEmail = ({ labels, value, isOthers }: FormField) =>
  !isOthers && value.includes('@') && !labels.some(mentionsOtherParty) && addressIn(value) !== null
const strayPhone = ({ labels, value, isOthers }: FormField) =>
  !isOthers &&
  phoneKey(value) !== null &&
  (labels.some(mentionsPhone) || (labels.every(isOpaque) && looksLikePhone(value)))

/** A number with a plus is a telephone's under any name but those of other machines and people. */
const international = /^\+[1-9][\d\s().-]{7,20}$/
const anothersNumber = /fax|sender|business|display|from|office|support|utc|gmt|offset|zone|^did$/i
const strayInternational = ({ labels, value, isOthers }: FormField) =>
  !isOthers &&
  phoneKey(value) !== null &&
  international.test(value.trim()) &&
  !labels.some((label) => anothersNumber.test(label) || mentionsOtherParty(label))

const isOpaque = (label: string) => !/\p{L}{2}/u.test(label.replace(/^(?:field|input|question|q|no label field)/i, ''))

const straysOf = ({ found, rest }: Sorted) => ({
  email: found.has('email') ? undefined : withoutOurs(rest).find(strayEmail),
  phone: found.has('phone')
    ? undefined
    : (rest.find(strayPhone) ?? strayCaller(rest) ?? withoutOurs(rest).find(strayInternational)),
})

const personsName = /^(?:user|billing|signed|signer|participant|guest|member|reviewer)[ _-]?name$/i
const severalWords = /\p{L}\s+\p{L}/u
/** What somebody calls themselves, where nothing else names them. */
const chosenName = /^(?:nick|preferred|chosen|screen|short)[ _-]?name$/i

/** `author_name` beside `author_email`: whose address it is, their name. */
const prefixOf = (key: string, ending: RegExp) => {
  const plain = plainKey(key)
  return ending.test(plain) ? plain.replace(ending, '') : null
}
const isCalledAs = (key: string, contact: string) => {
  const prefix = prefixOf(key, /(?:full)?name$/)
  return (
    prefix !== null && prefix !== '' && prefix === prefixOf(contact, /(?:email|emailaddress|phone|phonenumber|number)$/)
  )
}

/**
 * The name that stands beside the address, or beside the number of whoever has no address, is the person's, and so is one
 * of several words where a login may stand.
 */
const strayName = ({ found, rest }: Sorted, contact: FormField | undefined): FormField | undefined => {
  if (found.has('name') || found.has('first') || found.has('last')) return undefined
  const beside = contact?.place
  return rest.find(({ place, value, isOthers }) => {
    if (isOthers || place === undefined || nameIn(value) === null) return false
    if (place.owner === beside?.owner) {
      if (readLabel(place.key)?.role === 'name' || chosenName.test(place.key)) return true
      if (isCalledAs(place.key, beside.key)) return true
    }
    return personsName.test(place.key) && severalWords.test(value)
  })
}

const contactOf = ({ found }: Sorted, { email, phone }: ReturnType<typeof straysOf>): FormField | undefined =>
  found.get('email')?.field ?? email ?? found.get('phone')?.field ?? phone

/** Whoever has both halves of a name, and an address beside them, is not called as an account or an article elsewhere is. */
const isNameOfPart = ({ found }: Sorted): boolean => {
  const ownerOf = (role: FieldRole) => found.get(role)?.field.place?.owner
  const [name, first] = [ownerOf('name'), ownerOf('first')]
  if (name === undefined || first === undefined || first !== ownerOf('last') || name === first) return false
  return first === '' || name.startsWith(`${first}.`) || first === ownerOf('email') || first === ownerOf('phone')
}

const personIn = (fields: readonly FormField[]): Person => {
  const sorted = sortByRole(withSides(fields))
  const { email, phone } = straysOf(sorted)
  const stray = strayName(sorted, contactOf(sorted, { email, phone }))
  const valueFor = (role: FieldRole) => sorted.found.get(role)?.value ?? null
  const given = isNameOfPart(sorted) ? null : valueFor('name')
  const name = given ?? (stray === undefined ? null : nameIn(stray.value))
  return {
    name: fullName({ name, first: valueFor('first'), last: valueFor('last') }),
    email: valueFor('email') ?? (email === undefined ? null : addressIn(email.value)),
    phone: valueFor('phone') ?? (phone === undefined ? null : accept.phone(phone.value)),
    company: valueFor('company'),
    message: valueFor('message'),
    answers: sorted.rest
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
