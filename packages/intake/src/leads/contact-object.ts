import { isWrapper } from './containers.ts'
import type { FormField } from './labeled-field.ts'
import { wordsOf } from './labels/plain-label.ts'
import { isHalfAName, roleOf } from './labels/role-of.ts'
import type { FieldRole } from './labels/roles.ts'
import { accept, type MatchedRoles, nameRoles, type RoleMatch } from './role-matches.ts'

const isContactRole = (role: FieldRole | undefined) => role === 'email' || role === 'phone'

/** The objects that hold this address or number and so describe the same person: `customer` of `customer.emails.0.value`. */
export const contactObjects = (contact: FormField, fields: readonly FormField[]): readonly string[] =>
  fields.flatMap((field) => {
    const isSame = field === contact || (field.value === contact.value && !field.isOtherParty)
    if (field.location === undefined || !isSame) return []
    const steps = field.location.owner.replace(/\.\d+$/, '').split('.')
    const last = steps.at(-1) ?? ''
    return isContactRole(roleOf(last)) && !isWrapper(last) ? steps.slice(0, -1).join('.') : field.location.owner
  })

/** The prefix of the label in a key: `website` in `website_email`. */
const prefixOf = ({ location }: FormField): string => {
  const words = wordsOf(location?.key ?? '')
  const isContact = (label: string) => isContactRole(roleOf(label)) || /^num(?:ber)?$/.test(label)
  const start = words.findLastIndex((_, index) => index > 0 && isContact(words.slice(index).join(' ')))
  return words.slice(0, Math.max(0, start)).join(' ')
}

/** `website_your_name` is a name if there is a `website_email`. A `user_name` may be an account. */
const roleBeside = (key: string, prefix: string): FieldRole | undefined => {
  const text = wordsOf(key).join(' ')
  return prefix !== '' && prefix !== 'user' && text.startsWith(prefix) ? roleOf(text.slice(prefix.length)) : undefined
}

/** Prefers the names in the same object as the person's address or number, first those with the same key prefix. */
export const preferContactObject = (matched: MatchedRoles, contacts: readonly FormField[]): MatchedRoles => {
  const owners = new Set(contacts.flatMap((contact) => contactObjects(contact, matched.fields)))
  const prefixes = contacts.map(prefixOf)
  const readKey = (key: string) => {
    const alike = prefixes.flatMap((prefix) => roleBeside(key, prefix) ?? [])[0]
    const role = alike ?? (isHalfAName(key) ? undefined : roleOf(key))
    return { role, doubt: alike === undefined ? 1 : -1 }
  }
  const findMatch = (field: FormField): RoleMatch | null => {
    const known = matched.matches.find((match) => match.field === field)
    if (field.isOtherParty || (known !== undefined && !nameRoles.includes(known.role))) return known ?? null
    const { role, doubt } = readKey(field.location?.key ?? '')
    const value = role === undefined ? null : accept[role](field.value)
    return role === undefined || value === null ? null : { field, role, doubt, value }
  }
  const isNear = ({ location }: FormField) => location !== undefined && owners.has(location.owner)
  const near = matched.fields.filter(isNear).flatMap((field) => findMatch(field) ?? [])
  near.sort((one, other) => one.doubt - other.doubt)
  /** The highest doubt at which a match next to a contact replaces the best one. */
  const maxDoubt = (role: FieldRole): number => {
    const best = matched.found.get(role)
    if (role === 'message') return best === undefined ? 1 : Number.NEGATIVE_INFINITY
    if (best === undefined) return role === 'company' || nameRoles.some((one) => matched.found.has(one)) ? -1 : 1
    return best.field.location === undefined || isNear(best.field) ? -1 : best.doubt + 1
  }
  const roles: readonly FieldRole[] = [...nameRoles, 'company', 'message']
  const nearest = roles.map((role) => near.find((match) => match.role === role && match.doubt <= maxDoubt(role)))
  const preferred = nearest.flatMap((match) => (match === undefined ? [] : [[match.role, match] as const]))
  return { ...matched, found: new Map([...matched.found, ...preferred]) }
}
