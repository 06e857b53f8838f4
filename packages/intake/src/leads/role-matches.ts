import { isEmailAddress } from '@service/contract'
import { oneLine, prose } from '../sanitise/sanitise-text.ts'
import { isChatAddress, phoneKey, writtenPhone } from './contact-key.ts'
import { mentionsBusiness } from './containers.ts'
import type { FormField } from './labelled-field.ts'
import { plainLabel } from './labels/plain-label.ts'
import { doubtOfEnding, isHalfAName, type LabelReading, readLabel } from './labels/role-of.ts'
import type { FieldRole } from './labels/roles.ts'
import { isListed } from './labels/words.ts'

/** The part of `Ann Lee <ann@example.com>` that is the address. */
const bracketed = (line: string) => (line.endsWith('>') ? line.slice(line.lastIndexOf('<') + 1, -1) : line)

export const addressIn = (text: string): string | null => {
  const address = bracketed(oneLine(text)).replace(/^mailto:/i, '')
  return isEmailAddress(address) && !isChatAddress(address) ? address : null
}
const unquoted = (text: string) => (/^".*"$/.test(text) ? text.slice(1, -1) : text)

/** And the part that is the name. */
export const nameBeside = (text: string): string | null => {
  const line = oneLine(text)
  return line.endsWith('>') ? nameIn(unquoted(line.slice(0, line.lastIndexOf('<')).trim())) : null
}

export const numberIn = (text: string) => (phoneKey(text) === null ? null : oneLine(writtenPhone(text)))

const mostOfOneKind = 10
export const severalValues = /[,;\n]| \/ /

/** Whoever has several addresses or numbers has the first of them. */
const firstOf =
  (read: (text: string) => string | null) =>
  (text: string): string | null =>
    read(text) ??
    text
      .split(severalValues, mostOfOneKind)
      .map((part) => read(part.trim()))
      .find((part) => part !== null) ??
    null

/** A time is nobody's name, whatever "last contact" sounds like; an address of the web and a number are none. */
const noName = /^\d{4}-\d\d-\d\d|^https?:\/\/|^[^\p{L}]{0,80}$/iu
export const nameIn = (text: string): string | null => (noName.test(text.trim()) ? null : oneLine(text) || null)

/** A bare number is the id of a company. */
const bareNumber = /^\d+$/

/** What a value must look like to be taken for its role. What does not fit stays an answer, so that nobody's words are lost. */
export const accept: Readonly<Record<FieldRole, (text: string) => string | null>> = {
  name: nameIn,
  first: nameIn,
  last: nameIn,
  email: firstOf(addressIn),
  phone: firstOf(numberIn),
  company: (text) => (bareNumber.test(text.trim()) ? null : oneLine(text) || null),
  message: (text) => prose(text).trim() || null,
}

export type RoleMatch = {
  readonly field: FormField
  readonly role: FieldRole
  readonly doubt: number
  readonly value: string
}

const isChecked = (role: FieldRole) => role === 'email' || role === 'phone'

/** `store phone` and `office manager name`; but `company name` is just that. */
const isOfBusiness = (label: string, { role, doubt }: LabelReading): boolean =>
  (doubt > 0 || isChecked(role)) && label.length > role.length && mentionsBusiness(label)

/** A number may be called so by its kind, and whose it is by what somebody saw. */
const isBusinessField = ({ labels }: FormField, label: string, reading: LabelReading): boolean =>
  isOfBusiness(label, reading) || (isChecked(reading.role) && labels.some((other) => isOfBusiness(other, reading)))

/** Beside `contact_name`, `name` belongs to a deal or a company. Beside `name`, `from_name` belongs to the sender of the mail. */
const doubtOfName = (label: string, { doubt }: LabelReading): number => {
  const plain = plainLabel(label)
  if (isListed('contactPersons', plain)) return -1
  return plain === 'fromname' ? doubt + 1 : doubt
}

const doubtOf = (field: FormField, label: string, reading: LabelReading): number => {
  const doubt = reading.role === 'name' ? doubtOfName(label, reading) : reading.doubt
  return doubt + (isBusinessField(field, label, reading) ? 2 : 0) + (field.isDoubtful ? 2 : 0)
}

/** Every role that a label of the field names and its value fits, the least doubtful first. */
const roleMatchOf = (field: FormField): RoleMatch | null => {
  let best: RoleMatch | null = null
  for (const label of field.isOthers ? [] : field.labels) {
    const reading = readLabel(label)
    if (reading === null) continue
    const doubt = doubtOf(field, label, reading)
    if (best !== null && best.doubt <= doubt) continue
    const value = accept[reading.role](field.value)
    if (value !== null) best = { field, role: reading.role, doubt, value }
  }
  return best
}

export type MatchedRoles = {
  readonly matches: readonly RoleMatch[]
  readonly found: ReadonlyMap<FieldRole, RoleMatch>
  readonly fields: readonly FormField[]
}

type Found = Map<FieldRole, RoleMatch>

const leastDoubtful = (matches: readonly RoleMatch[]): Found => {
  const found: Found = new Map()
  for (const match of matches)
    if (match.doubt < (found.get(match.role)?.doubt ?? Number.POSITIVE_INFINITY)) found.set(match.role, match)
  return found
}

export const nameRoles: readonly FieldRole[] = ['name', 'first', 'last']

/** `spouse_first_name` is the person's only where nothing else is, and half a name only beside the other half. */
const isOthersName = ({ role, doubt, field }: RoleMatch, found: Found): boolean => {
  if (role === 'first' && !found.has('last') && field.labels.every(isHalfAName)) return true
  const isSure = (one: FieldRole) => (found.get(one)?.doubt ?? doubtOfEnding) < doubtOfEnding
  return nameRoles.includes(role) && doubt >= doubtOfEnding && nameRoles.some(isSure)
}

/** The least doubtful field of a role has it, of equals the first. */
export const matchRoles = (fields: readonly FormField[]): MatchedRoles => {
  const made = fields.map(roleMatchOf).filter((match) => match !== null)
  const found = leastDoubtful(made)
  const matches = made.filter((match) => !isOthersName(match, found))
  return { matches, found: matches.length === made.length ? found : leastDoubtful(matches), fields }
}

/** The others that stood beside it are kept as an answer. */
const isOneOfSeveral = ({ role, field, value }: RoleMatch): boolean =>
  isChecked(role) && severalValues.test(field.value.trim()) && field.value.trim().length > value.length + 2

/** What is not who somebody is. The same value again says nothing new. */
export const restOf = ({ matches, found, fields }: MatchedRoles): readonly FormField[] => {
  const winners = new Map([...found.values()].map((match) => [match.field, match]))
  const matchOfField = new Map(matches.map((match) => [match.field, match]))
  return fields.filter((field) => {
    const won = winners.get(field)
    if (won !== undefined) return isOneOfSeveral(won)
    const match = matchOfField.get(field)
    return match === undefined || found.get(match.role)?.value !== match.value
  })
}
