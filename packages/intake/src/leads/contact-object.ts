import { isWrapper } from './containers.ts'
import type { FormField } from './labelled-field.ts'
import { wordsOf } from './labels/plain-label.ts'
import { isHalfAName, roleOf } from './labels/role-of.ts'
import type { FieldRole } from './labels/roles.ts'
import { accept, type MatchedRoles, nameRoles, type RoleMatch } from './role-matches.ts'

// A name that stands beside the person's address or number is theirs, whatever the object or its fields are called.

const isContactRole = (role: FieldRole | undefined) => role === 'email' || role === 'phone'

/** The object that holds an address: `customer` for `customer.emails.0.value`. */
const objectAround = (owner: string): string => {
  const steps = owner.replace(/\.\d+$/, '').split('.')
  const last = steps.at(-1) ?? ''
  return isContactRole(roleOf(last)) && !isWrapper(last) ? steps.slice(0, -1).join('.') : owner
}

/** Every object that holds this address or number is about the same person. */
export const contactObjects = (contact: FormField, fields: readonly FormField[]): readonly string[] =>
  fields
    .filter((field) => field === contact || (field.value === contact.value && !field.isOthers))
    .flatMap(({ place }) => (place === undefined ? [] : objectAround(place.owner)))

/** What a key adds to its label: `website` before that of `website_email`, `popup` after that of `Email popup`. */
const affixesOf = ({ place }: FormField): readonly [before: string, after: string] => {
  const words = wordsOf(place?.key ?? '')
  const isContact = (some: readonly string[]) =>
    isContactRole(roleOf(some.join(' '))) || /^num(?:ber)?$/.test(some.join(''))
  const start = words.findLastIndex((_, index) => index > 0 && isContact(words.slice(index)))
  if (start > 0) return [words.slice(0, start).join(' '), '']
  const end = words.findLastIndex((_, index) => isContact(words.slice(0, index + 1)))
  return ['', end < 0 ? '' : words.slice(end + 1).join(' ')]
}

/** `website_your_name` is a name beside `website_email`. A `user_name` may be an account. */
const roleBeside = (key: string, [before, after]: readonly [string, string]): FieldRole | undefined => {
  const text = wordsOf(key).join(' ')
  const isAlike = before + after !== '' && before !== 'user' && text.startsWith(before) && text.endsWith(after)
  return isAlike ? roleOf(text.slice(before.length, text.length - after.length)) : undefined
}

/** Prefers the names beside the person's address or number, first those whose key begins or ends like its key. */
export const preferContactObject = (matched: MatchedRoles, contacts: readonly FormField[]): MatchedRoles => {
  const owners = new Set(contacts.flatMap((contact) => contactObjects(contact, matched.fields)))
  const affixes = contacts.map(affixesOf)
  const matchOf = (field: FormField): RoleMatch | null => {
    const known = matched.matches.find((match) => match.field === field)
    if (known !== undefined && !nameRoles.includes(known.role)) return known
    const key = field.place?.key ?? ''
    const alike = affixes.map((affix) => roleBeside(key, affix)).find((role) => role !== undefined)
    const role = alike ?? (isHalfAName(key) ? undefined : roleOf(key))
    const value = role === undefined || field.isOthers ? null : accept[role](field.value)
    return role === undefined || value === null ? null : { field, role, doubt: alike === undefined ? 1 : -1, value }
  }
  const isNear = ({ place }: FormField) => place !== undefined && owners.has(place.owner)
  const near = matched.fields
    .filter(isNear)
    .map(matchOf)
    .filter((match) => match !== null)
  const preferred = new Map(matched.found)
  for (const role of [...nameRoles, 'company', 'message'] as const) {
    const best = matched.found.get(role)
    const isNamed = role === 'company' || nameRoles.some((one) => matched.found.has(one))
    const most =
      best === undefined ? (isNamed && role !== 'message' ? -1 : 1) : isNear(best.field) ? -1 : best.doubt + 1
    const nearest = near.filter((match) => match.role === role && match.doubt <= most)
    const [nearer] = nearest.toSorted((one, other) => one.doubt - other.doubt)
    if (nearer !== undefined && !(role === 'message' && best !== undefined)) preferred.set(role, nearer)
  }
  return { ...matched, found: preferred }
}
