import { mayReadLabel } from '../bounds.ts'
import { mentionsOtherParty } from '../containers.ts'
import { partsOf, plainLabel, wordsOf } from './plain-label.ts'
import { type FieldRole, knownLanguages, type Spellings } from './roles.ts'
import { halfName, isListed, isPersonWord, wordsIn } from './words.ts'

/** The role of a label. If two fields match one role, the lower doubt wins. */
export type LabelReading = { readonly role: FieldRole; readonly doubt: number }

const entriesOf = (spellings: Spellings) =>
  Object.entries(spellings).flatMap(([role, labels]) =>
    labels.split(',').map((spelling) => ({ role: role as FieldRole, spelling })),
  )

let roles: Map<string, FieldRole> | undefined

/** Built for the first label that is read, so that it does not slow down the start of a server. */
function knownRoles(): ReadonlyMap<string, FieldRole> {
  if (roles === undefined) {
    // The first language wins, and a spelling in full wins over a shortened one.
    const entries = Object.values(knownLanguages).flatMap(entriesOf).toReversed()
    roles = new Map(entries.flatMap(({ role, spelling }) => otherSpellings(spelling, role)))
    for (const { role, spelling } of entries) roles.set(plainLabel(spelling), role)
    roles.delete('')
  }
  return roles
}

const isStopWord = (word: string) => isListed('stopWords', word) || isPersonWord(word) || /^\p{N}+$/u.test(word)

const transcribed: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }

/** `nombre_empresa` omits the word between the two others, and programs write `oe` for `ö`. */
const otherSpellings = (spelling: string, role: FieldRole): readonly (readonly [string, FieldRole])[] => {
  const meaningful = / /.test(spelling.trim()) ? wordsOf(spelling).filter((word) => !isStopWord(word)) : []
  const ascii = spelling.toLowerCase().replace(/[äöüåø]/g, (letter) => transcribed[letter] ?? letter)
  const others = [
    meaningful.length > 1 ? meaningful.join('') : '',
    ascii === spelling.toLowerCase() ? '' : plainLabel(ascii),
  ]
  return others.map((other) => [other, role])
}

const affixIn = (list: 'leadingAffixes' | 'ownerAffixes' | 'trailingAffixes', fits: (affix: string) => boolean) =>
  [...wordsIn(list)].find(fits)?.length ?? 0

/** Scripts that put no spaces between words, so parts of a label have to be searched for. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

/** "联系人手机" → "手机": the words around a label in scripts that put no spaces between words. */
const withoutAffixes = (plain: string): string => {
  const fits = (text: string) => (affix: string) => text.startsWith(affix) && text.length > affix.length
  const asked = plain.slice(affixIn('leadingAffixes', fits(plain)))
  const label = asked.slice(affixIn('ownerAffixes', fits(asked.slice(0, -1))))
  const end = affixIn('trailingAffixes', (affix) => label.endsWith(affix) && label.length > affix.length)
  return label.slice(0, label.length - end)
}

/** "What is your first name?" → `firstname`; "Name of your company" → `companyname`; "Phone or mobile" is one role. */
const roleOfWords = (label: string): FieldRole | null => {
  const words = wordsOf(label)
  const meaningful = words.filter((word) => !isStopWord(word))
  // "Question 7" is one of many questions, not a message.
  if (/^(?:questions?|text|notes?|details|description) ?\p{N}/iu.test(words.slice(-2).join(' '))) return null
  const roles = knownRoles()
  const named = roles.get(meaningful.join('')) ?? roles.get(meaningful.toReversed().join(''))
  if (named !== undefined) return named
  const [first, ...others] = meaningful.map((word) => roles.get(word))
  return first !== undefined && others.every((role) => role === first) ? first : null
}

const maxJoinedLength = 40

/** `customername`, `SENDEREMAIL`: the owner and the field in one word. A `username` is an account. */
const roleOfJoined = (plain: string): FieldRole | null => {
  for (let end = 4; end < plain.length - 2 && plain.length <= maxJoinedLength; end += 1) {
    const [owner, field] = [plain.slice(0, end), plain.slice(end)]
    const role = knownRoles().get(field)
    const isOwner = isPersonWord(owner) || /^(?:your|sender)$/.test(owner) || (owner === 'user' && role !== 'name')
    if (role !== undefined && isOwner) return role
  }
  return null
}

/** Form plug-ins number their fields by kind: `name-1-first-name` is the first name of a name. */
const numberedKind = /^name[-_]\d{1,3}[-_]/i

const roleOfText = (label: string): LabelReading | null => {
  const plain = plainLabel(label)
  const exact = knownRoles().get(plain)
  if (exact !== undefined) return { role: exact, doubt: 0 }
  const spaced = knownRoles().get(unspaced.test(plain) ? withoutAffixes(plain) : plain)
  const loose = spaced ?? roleOfWords(label.replace(numberedKind, '')) ?? roleOfJoined(plain)
  return loose === null ? null : { role: loose, doubt: 1 }
}

// Only these values are validated, so "Reply by (phone, email)" answered with "phone" is not taken for a number.
const isChecked = (role: FieldRole) => role === 'email' || role === 'phone'

/** Explanations and translations are in brackets or after a slash. The first or the last part names the field. */
const roleOfParts = (label: string): LabelReading | null => {
  const parts = partsOf(label)
  for (const [index, part] of parts.entries()) {
    const role = parts.length < 2 ? undefined : roleOfText(part)?.role
    const isNaming = index === 0 || (parts.length === 2 && index === 1)
    if (role !== undefined && (isNaming || isChecked(role))) return { role, doubt: 2 }
  }
  return null
}

/** Higher than the doubt of any other label. */
export const doubtOfEnding = 6

/** `record_first_name`, `renterLastName`, `listing-fname`: only people have both. */
const roleOfEnding = (label: string): LabelReading | null => {
  if (mentionsOtherParty(label)) return null
  const [last = '', ...before] = wordsOf(label).toReversed()
  const role =
    knownRoles().get(`${before[0] ?? ''}${last}`) ?? (halfName.test(last) ? knownRoles().get(last) : undefined)
  return role === 'first' || role === 'last' ? { role, doubt: doubtOfEnding } : null
}

let known = new Map<string, LabelReading | null>()

/** Forgets the labels of the last delivery. */
export const startLabels = (): void => {
  known = new Map()
}

/** Labels repeat from lead to lead, so each label of a delivery is read once. */
export const readLabel = (label: string): LabelReading | null => {
  const reading = known.get(label)
  if (reading !== undefined) return reading
  const fresh = mayReadLabel(label) ? (roleOfText(label) ?? roleOfParts(label) ?? roleOfEnding(label)) : null
  known.set(label, fresh)
  return fresh
}

export const roleOf = (label: string): FieldRole | undefined => readLabel(label)?.role

/** Labels of a first name that mean something else if the form has no last name: `ad` is also an advertisement. */
export const isHalfAName = (label: string): boolean => ['ad', '名', '명'].map(plainLabel).includes(plainLabel(label))

let phoneSpellings: readonly string[] | undefined

/** "Best number to call, with country code" is not a label of a phone number, but a number in such a field is one. */
export const mentionsPhone = (label: string): boolean => {
  if (wordsOf(label).some((word) => knownRoles().get(word) === 'phone')) return true
  phoneSpellings ??= [...knownRoles()].flatMap(([label, role]) => (role === 'phone' && label.length > 2 ? label : []))
  const plain = plainLabel(label)
  return unspaced.test(plain) && phoneSpellings.some((spelling) => plain.includes(spelling))
}
