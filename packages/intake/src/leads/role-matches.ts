import { isEmailAddress } from '@service/contract'
import { oneLine, prose } from '../sanitize/sanitize-text.ts'
import { isChatAddress, phoneKey, writtenPhone } from './contact-key.ts'
import { mentionsBusiness } from './containers.ts'
import type { FormField } from './labeled-field.ts'
import { plainLabel } from './labels/plain-label.ts'
import { doubtOfEnding, isHalfAName, type LabelReading, readLabel } from './labels/role-of.ts'
import type { FieldRole } from './labels/roles.ts'
import { isListed } from './labels/words.ts'

/** The address in `ann@example.com`, `mailto:ann@example.com`, and `Ann Lee <ann@example.com>`. */
export const addressIn = (text: string): string | null => {
  const line = oneLine(text)
  const address = (line.endsWith('>') ? line.slice(line.lastIndexOf('<') + 1, -1) : line).replace(/^mailto:/i, '')
  return isEmailAddress(address) && !isChatAddress(address) ? address : null
}

/** The name in `"Lee, Ann" <ann@example.com>`. */
export const nameBeside = (text: string): string | null => {
  const line = oneLine(text)
  const name = line.slice(0, line.lastIndexOf('<')).trim()
  return line.endsWith('>') ? nameIn(/^".*"$/.test(name) ? name.slice(1, -1) : name) : null
}

export const numberIn = (text: string) => (phoneKey(text) === null ? null : oneLine(writtenPhone(text)))

export const severalValues = /[,;\n]| \/ /

/** The first of several addresses or numbers. */
const firstOf =
  (read: (text: string) => string | null) =>
  (text: string): string | null => {
    const parts = text.split(severalValues, 10).map((part) => read(part.trim()))
    return read(text) ?? parts.find((part) => part !== null) ?? null
  }

/** A time, a URL, and a number are not names, even under "last contact". */
const noName = /^\d{4}-\d\d-\d\d|^https?:\/\/|^[^\p{L}]{0,80}$/iu
export const nameIn = (text: string): string | null => (noName.test(text.trim()) ? null : oneLine(text) || null)

/** A value is accepted for a role only in this form; any other value stays an answer. */
export const accept: Readonly<Record<FieldRole, (text: string) => string | null>> = {
  name: nameIn,
  first: nameIn,
  last: nameIn,
  email: firstOf(addressIn),
  phone: firstOf(numberIn),
  // A bare number is the id of a company.
  company: (text) => (/^\d+$/.test(text.trim()) ? null : oneLine(text) || null),
  message: (text) => prose(text).trim() || null,
}

export type RoleMatch = {
  readonly field: FormField
  readonly role: FieldRole
  readonly doubt: number
  readonly value: string
}

const isChecked = (role: FieldRole) => role === 'email' || role === 'phone'

/** `store phone` and `office manager name`; but `company name` is a separate role. */
const isOfBusiness = (label: string, { role, doubt }: LabelReading): boolean =>
  (doubt > 0 || isChecked(role)) && label.length > role.length && mentionsBusiness(label)

/** Next to `contact_name`, `name` is a deal or a company. Next to `name`, `from_name` is the sender of the email. */
const doubtOfLabel = (label: string, { role, doubt }: LabelReading): number => {
  if (role !== 'name') return doubt
  const plain = plainLabel(label)
  return isListed('contactPersons', plain) ? -1 : doubt + (plain === 'fromname' ? 1 : 0)
}

/** One label may identify a number, and another its owner. */
const getDoubt = (field: FormField, label: string, reading: LabelReading): number => {
  const labels = isChecked(reading.role) ? field.labels : [label]
  const isBusiness = labels.some((other) => isOfBusiness(other, reading))
  return doubtOfLabel(label, reading) + (isBusiness ? 2 : 0) + (field.isDoubtful ? 2 : 0)
}

/** The least doubtful role that a label of the field names and its value fits. */
const findRoleMatch = (field: FormField): RoleMatch | null => {
  let best: RoleMatch | null = null
  for (const label of field.isOtherParty ? [] : field.labels) {
    const reading = readLabel(label)
    const doubt = reading === null ? 0 : getDoubt(field, label, reading)
    if (reading === null || (best !== null && best.doubt <= doubt)) continue
    const value = accept[reading.role](field.value)
    if (value !== null) best = { field, role: reading.role, doubt, value }
  }
  return best
}

export type MatchedRoles = {
  readonly matches: readonly RoleMatch[]
  /** The least doubtful match of each role; of equals, the first. */
  readonly found: ReadonlyMap<FieldRole, RoleMatch>
  readonly fields: readonly FormField[]
}

const bestMatches = (matches: readonly RoleMatch[]): ReadonlyMap<FieldRole, RoleMatch> => {
  const found = new Map<FieldRole, RoleMatch>()
  for (const match of matches)
    if (match.doubt < (found.get(match.role)?.doubt ?? Number.POSITIVE_INFINITY)) found.set(match.role, match)
  return found
}

export const nameRoles: readonly FieldRole[] = ['name', 'first', 'last']

export const matchRoles = (fields: readonly FormField[]): MatchedRoles => {
  const all = fields.map(findRoleMatch).filter((match) => match !== null)
  const found = bestMatches(all)
  const isNamed = nameRoles.some((role) => (found.get(role)?.doubt ?? doubtOfEnding) < doubtOfEnding)
  /** `spouse_first_name` counts only without another name, and half a name only with the other half. */
  const isOthersName = ({ role, doubt, field }: RoleMatch) =>
    (role === 'first' && !found.has('last') && field.labels.every(isHalfAName)) ||
    (nameRoles.includes(role) && doubt >= doubtOfEnding && isNamed)
  const matches = all.filter((match) => !isOthersName(match))
  return { matches, found: bestMatches(matches), fields }
}

/** The fields that are not used, and those with more values than the one that is. Equal values are not repeated. */
export const getUnusedFields = ({ matches, found, fields }: MatchedRoles): readonly FormField[] => {
  const used = new Map([...found.values()].map((match) => [match.field, match]))
  const matchOfField = new Map(matches.map((match) => [match.field, match]))
  return fields.filter((field) => {
    const [won, match, text] = [used.get(field), matchOfField.get(field), field.value.trim()]
    if (won !== undefined) return isChecked(won.role) && severalValues.test(text) && text.length > won.value.length + 2
    return match === undefined || found.get(match.role)?.value !== match.value
  })
}
