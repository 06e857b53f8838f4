import { isWrapper } from './containers.ts'
import type { FormField } from './labelled-field.ts'
import { wordsOf } from './labels/plain-label.ts'
import { isHalfAName, roleOf } from './labels/role-of.ts'
import type { FieldRole } from './labels/roles.ts'
import { accept, type MatchedRoles, nameIn, nameRoles, type RoleMatch } from './role-matches.ts'

// A name that stands beside the person's address or number is theirs, whatever the object or its fields are called.

const isContactRole = (role: FieldRole | undefined) => role === 'email' || role === 'phone'

/** The object that holds an address: `customer` for `customer.emails.0.value`. */
const objectAround = (owner: string): string => {
  const steps = owner.replace(/\.\d+$/, '').split('.')
  const last = steps.at(-1) ?? ''
  return isContactRole(roleOf(last)) && !isWrapper(last) ? steps.slice(0, -1).join('.') : owner
}

/** Every object that holds this address or number is about the same person. */
export const contactObjects = (contact: FormField | undefined, fields: readonly FormField[]): readonly string[] => {
  if (contact?.place === undefined) return []
  const same = fields.filter((field) => field === contact || (field.value === contact.value && !field.isOthers))
  return same.flatMap(({ place }) => (place === undefined ? [] : objectAround(place.owner)))
}

/** What `website_email` or `Email popup` adds to its label, as a function that removes it from another key. */
const affixOf = ({ place }: FormField): ((key: string) => string | null) => {
  const words = wordsOf(place?.key ?? '')
  const isContact = (from: number, to?: number) =>
    isContactRole(roleOf(words.slice(from, to).join(' '))) || /^num(?:ber)?$/.test(words.slice(from, to).join(''))
  const start = words.findLastIndex((_, index) => index > 0 && isContact(index))
  const end = start > 0 ? words.length : words.findLastIndex((_, index) => isContact(0, index + 1)) + 1
  const [before, after] = [words.slice(0, Math.max(0, start)).join(' '), end === 0 ? '' : words.slice(end).join(' ')]
  return (key) => {
    const text = wordsOf(key).join(' ')
    if (before + after === '' || !text.startsWith(before) || !text.endsWith(after)) return null
    return before === 'user' ? null : text.slice(before.length, text.length - after.length).trim()
  }
}

/** An address or a number, and whether its label is certain. */
export type Contact = { readonly field: FormField; readonly isSure: boolean }

const rolesBeside: readonly FieldRole[] = [...nameRoles, 'company', 'message']

/** Prefers the names beside the person's address or number, and those whose key begins or ends like its key. */
export const preferContactObject = (matched: MatchedRoles, contacts: readonly Contact[]): MatchedRoles => {
  const { found, fields } = matched
  const owners = new Set(contacts.flatMap(({ field }) => contactObjects(field, fields)))
  const affixes = contacts.map(({ field, isSure }) => ({ strip: affixOf(field), doubt: isSure ? -1 : 0 }))
  const matchOfField = new Map(matched.matches.map((match) => [match.field, match]))
  const matchesOf = (field: FormField): readonly RoleMatch[] => {
    const known = matchOfField.get(field)
    const key = field.place?.key ?? ''
    const readings = affixes.map(({ strip, doubt }) => ({ role: roleOf(strip(key) ?? ''), doubt }))
    const own = { role: isHalfAName(key) ? undefined : roleOf(key), doubt: 1 }
    const { role, doubt } = readings.find((reading) => reading.role !== undefined) ?? own
    const isTaken = field.isOthers || (known !== undefined && !nameRoles.includes(known.role))
    const value =
      role === undefined || isTaken ? null : role === 'message' ? accept.message(field.value) : nameIn(field.value)
    const better =
      role === undefined || value === null || doubt >= (known?.doubt ?? 2) ? known : { field, role, doubt, value }
    return better === undefined ? [] : [better]
  }
  const isBeside = ({ place }: FormField) => place !== undefined && owners.has(place.owner)
  const nearest = fields
    .filter(isBeside)
    .flatMap(matchesOf)
    .toSorted((one, other) => one.doubt - other.doubt)
  /** How doubtful a match beside a contact may be to replace the best one. */
  const mostDoubt = (role: FieldRole): number => {
    const best = found.get(role)
    if (role === 'message') return best === undefined ? 1 : -2
    if (best === undefined) return role === 'company' || nameRoles.some((one) => found.has(one)) ? -1 : 1
    return best.field.place === undefined || owners.has(best.field.place.owner) ? -1 : best.doubt + 1
  }
  const preferred = new Map(found)
  for (const role of rolesBeside) {
    const nearer = nearest.find((match) => match.role === role && match.doubt <= mostDoubt(role))
    if (nearer !== undefined) preferred.set(role, nearer)
  }
  return { ...matched, found: preferred }
}
