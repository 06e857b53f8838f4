import { isWrapper } from './containers.ts'
import type { FormField } from './labelled-field.ts'
import { wordsOf } from './labels/plain-label.ts'
import { isHalfAName, readLabel } from './labels/role-of.ts'
import type { FieldRole } from './labels/roles.ts'
import { accept, type MatchedRoles, nameIn, nameRoles, type RoleMatch } from './role-matches.ts'

// Where the person's address or number stands, whatever the object or its fields are called, the name beside it is theirs.

const namesKind = (key: string) => /^(?:email|phone)$/.test(readLabel(key)?.role ?? '') && !isWrapper(key)
const endOfList = /\.\d+$/

/** Where an address or a number stands, without the steps that only say what it is: `customer` of `customer.emails.0.value`. */
const objectAround = ({ place }: FormField): string | undefined => {
  if (place === undefined) return undefined
  const steps = place.owner.replace(endOfList, '').split('.')
  return namesKind(steps.at(-1) ?? '') ? steps.slice(0, -1).join('.') : place.owner
}

/** Every object that has this address or number is about one person. */
export const contactObjects = (contact: FormField | undefined, fields: readonly FormField[]): ReadonlySet<string> => {
  const isSame = (field: FormField) => field === contact || (field.value === contact?.value && !field.isOthers)
  return new Set(
    contact?.place === undefined ? [] : fields.filter(isSame).flatMap((field) => objectAround(field) ?? []),
  )
}

const isContact = (words: readonly string[]) =>
  /^(?:email|phone)$/.test(readLabel(words.join(' '))?.role ?? '') || /^num(?:ber)?$/.test(words.join(''))

type Words = readonly string[]
type Affixes = { readonly before: Words; readonly after: Words }

/** The words around the one that says what it is: `website` of `website_email`, `popup` of `Email popup`. */
const affixesOf = ({ place }: FormField): Affixes => {
  const words = wordsOf(place?.key ?? '')
  const start = words.findLastIndex((_, index) => index > 0 && isContact(words.slice(index)))
  if (start > 0) return { before: words.slice(0, start), after: [] }
  const end = words.findLastIndex((_, index) => isContact(words.slice(0, index + 1)))
  return { before: [], after: end < 0 ? [] : words.slice(end + 1) }
}

/** `website_your_name` is a name beside `website_email`, and `Name popup` beside `Email popup`. */
const roleBeside = (key: string, { before, after }: Affixes): FieldRole | undefined => {
  const words = before.length + after.length === 0 ? [] : wordsOf(key)
  const rest = words.slice(before.length, words.length - after.length)
  return [...before, ...rest, ...after].join(' ') === words.join(' ') ? readLabel(rest.join(' '))?.role : undefined
}

const isLogin = ({ before }: Affixes, value: string) => before.join('') === 'user' && !/\p{L}\s+\p{L}/u.test(value)

const rolesBeside: readonly FieldRole[] = [...nameRoles, 'company', 'message']

/** An address or a number, and whether a label says that it is the person's: what begins as it does is then theirs, too. */
export type Contact = { readonly field: FormField; readonly isSure: boolean }

type Surroundings = { readonly owners: ReadonlySet<string>; readonly contacts: readonly Contact[] }

type Reading = { readonly role: FieldRole | undefined; readonly doubt: number }

/** What a key says there: by the beginning that it shares with the address, or by its own name. */
const readKey = (key: string, value: string, contacts: readonly Contact[]): Reading => {
  for (const { field, isSure } of contacts) {
    const affixes = affixesOf(field)
    const role = isLogin(affixes, value) ? undefined : roleBeside(key, affixes)
    if (role !== undefined) return { role, doubt: isSure ? -1 : 0 }
  }
  return { role: isHalfAName(key) ? undefined : readLabel(key)?.role, doubt: 1 }
}

const matchBeside = (field: FormField, { contacts }: Surroundings): RoleMatch | null => {
  if (field.isOthers) return null
  const { role, doubt } = readKey(field.place?.key ?? '', field.value, contacts)
  if (role === undefined || !rolesBeside.includes(role)) return null
  const value = role === 'message' ? accept.message(field.value) : nameIn(field.value)
  return value === null ? null : { field, role, doubt, value }
}

const matchesBeside = ({ matches, fields }: MatchedRoles, around: Surroundings): readonly RoleMatch[] => {
  const matchOfField = new Map(matches.map((match) => [match.field, match]))
  const matchesOf = (field: FormField) => {
    const match = matchOfField.get(field)
    const own = match === undefined || nameRoles.includes(match.role) ? matchBeside(field, around) : null
    return own !== null && own.doubt < (match?.doubt ?? 2) ? own : (match ?? [])
  }
  const isBeside = ({ place }: FormField) => place !== undefined && around.owners.has(place.owner)
  return fields
    .filter(isBeside)
    .flatMap(matchesOf)
    .toSorted((one, other) => one.doubt - other.doubt)
}

/** How doubtful a match beside a contact may be that takes the place of the best one. */
const mostDoubt = ({ found }: MatchedRoles, role: FieldRole, { owners }: Surroundings): number => {
  const best = found.get(role)
  if (role === 'message') return best === undefined ? 1 : -2
  if (best === undefined) return role === 'company' || nameRoles.some((one) => found.has(one)) ? -1 : 1
  const isNear = best.field.place === undefined || owners.has(best.field.place.owner)
  return isNear ? -1 : best.doubt + 1
}

/** Of names that are as good, the one beside the person's address or number is theirs: other objects have names, too. */
export const preferContactObject = (matched: MatchedRoles, contacts: readonly Contact[]): MatchedRoles => {
  const around = {
    owners: new Set(contacts.flatMap(({ field }) => [...contactObjects(field, matched.fields)])),
    contacts,
  }
  const nearest = around.owners.size === 0 ? [] : matchesBeside(matched, around)
  const preferred = new Map(matched.found)
  for (const role of nearest.length === 0 ? [] : rolesBeside) {
    const most = mostDoubt(matched, role, around)
    const nearer = nearest.find((match) => match.role === role && match.doubt <= most)
    if (nearer !== undefined) preferred.set(role, nearer)
  }
  return { ...matched, found: preferred }
}
