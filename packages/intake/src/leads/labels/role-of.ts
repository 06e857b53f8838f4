import { mentionsOtherParty } from '../containers.ts'
import { mayReadLabel } from '../reading-budget.ts'
import { english } from './english.ts'
import { languages } from './languages.ts'
import { moreLanguages } from './more-languages.ts'
import { halfName, isPlainPersonWord } from './party-words.ts'
import { partsOf, plainLabel, wordsOf } from './plain-label.ts'
import type { FieldRole, Spellings } from './roles.ts'
import { isStopWord, withoutAffixes } from './stop-words.ts'

/** How a label was understood; a lower doubt wins when two fields match one role. */
export type LabelReading = { readonly role: FieldRole; readonly doubt: number }

const allRoles: readonly FieldRole[] = ['name', 'first', 'last', 'email', 'phone', 'company', 'message']

const entriesOf = (spellings: Spellings) =>
  allRoles.flatMap((role) => (spellings[role] ?? '').split(',').map((spelling) => ({ role, spelling })))

export const knownLanguages: readonly Spellings[] = [english, ...languages, ...moreLanguages]

let roles: Map<string, FieldRole> | undefined

/** Made for the first label that is read: a server that starts has none. */
function knownRoles(): ReadonlyMap<string, FieldRole> {
  if (roles === undefined) {
    // Of a spelling that several languages have, the first counts, and one that is written in full more than a short one.
    const entries = knownLanguages.flatMap(entriesOf).toReversed()
    roles = new Map(entries.flatMap(({ role, spelling }) => otherSpellings(spelling, role)))
    for (const { role, spelling } of entries) roles.set(plainLabel(spelling), role)
    roles.delete('')
  }
  return roles
}

const transcribed: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }

/** `nombre_empresa` leaves out what stands between its words, and programs write `oe` for an `ö`. */
const otherSpellings = (spelling: string, role: FieldRole): readonly (readonly [string, FieldRole])[] => {
  const telling = / /.test(spelling.trim()) ? wordsOf(spelling).filter((word) => !isStopWord(word)) : []
  const short = telling.length > 1 ? [[telling.join(''), role] as const] : []
  const ascii = spelling.toLowerCase().replace(/[äöüåø]/g, (letter) => transcribed[letter] ?? letter)
  return ascii === spelling.toLowerCase() ? short : [...short, [plainLabel(ascii), role] as const]
}

/** "Question 7" is one of many. */
const numbered = /^(?:questions?|text|notes?|details|description)$/

/** "What is your first name?" → `firstname`; "Name of your company" → `companyname`; "Phone or mobile" names one role twice. */
const roleOfWords = (label: string): FieldRole | null => {
  const words = wordsOf(label)
  const telling = words.filter((word) => !isStopWord(word))
  if (telling.length === 1 && numbered.test(telling[0] ?? '') && words.some((word) => /^\p{N}/u.test(word))) return null
  const roles = knownRoles()
  const named = roles.get(telling.join('')) ?? roles.get(telling.toReversed().join(''))
  if (named !== undefined) return named
  const [first, ...others] = telling.map((word) => roles.get(word))
  return first !== undefined && others.every((role) => role === first) ? first : null
}

const shortestWhom = 4
const longestJoined = 40

/** `customername`, `SENDEREMAIL`: whose it is and what, written together. A `username` is an account. */
const roleOfJoined = (plain: string): FieldRole | null => {
  for (let end = shortestWhom; end < plain.length && plain.length <= longestJoined; end += 1) {
    const [whom, what] = [plain.slice(0, end), plain.slice(end)]
    const role = what.length < shortestWhom - 1 ? undefined : knownRoles().get(what)
    if (role === undefined) continue
    if (isPlainPersonWord(whom) || /^(?:your|sender)$/.test(whom) || (whom === 'user' && role !== 'name')) return role
  }
  return null
}

/** Forms number their fields by kind: `name-1-first-name` is the first name of a name. */
const numberedKind = /^name[-_]\d{1,3}[-_]/i

const roleOfText = (label: string): LabelReading | null => {
  const plain = plainLabel(label)
  const roles = knownRoles()
  const exact = roles.get(plain)
  if (exact !== undefined) return { role: exact, doubt: 0 }
  const loose = roles.get(withoutAffixes(plain)) ?? roleOfWords(label.replace(numberedKind, '')) ?? roleOfJoined(plain)
  return loose === null ? null : { role: loose, doubt: 1 }
}

// Only these have a form of their own, so that "Reply by (phone, email)" answered with "phone" is not believed.
const isChecked = (role: FieldRole) => role === 'email' || role === 'phone'

/** Explanations and translations stand in brackets or behind a slash; the first or the last part says what is asked. */
const roleOfParts = (label: string): LabelReading | null => {
  const parts = partsOf(label)
  for (const [index, part] of parts.entries()) {
    const role = parts.length < 2 ? undefined : roleOfText(part)?.role
    const isTelling = index === 0 || (parts.length === 2 && index === 1)
    if (role !== undefined && (isTelling || isChecked(role))) return { role, doubt: 2 }
  }
  return null
}

/** More than that of any other label. */
export const doubtOfEnding = 6

/** `record_first_name`, `renterLastName`, `listing-fname`: whoever that is has two names, as only people have. */
const roleOfEnding = (label: string): LabelReading | null => {
  if (mentionsOtherParty(label)) return null
  const [last = '', ...before] = wordsOf(label).toReversed()
  const role =
    knownRoles().get(`${before[0] ?? ''}${last}`) ?? (halfName.test(last) ? knownRoles().get(last) : undefined)
  return role === 'first' || role === 'last' ? { role, doubt: doubtOfEnding } : null
}

const read = (label: string): LabelReading | null => roleOfText(label) ?? roleOfParts(label) ?? roleOfEnding(label)

let known = new Map<string, LabelReading | null>()

/** Forgets the labels of the last delivery. */
export const startLabels = (): void => {
  known = new Map()
}

/** The labels of a delivery repeat themselves from lead to lead, so each is read once. */
export const readLabel = (label: string): LabelReading | null => {
  const reading = known.get(label)
  if (reading !== undefined) return reading
  const fresh = mayReadLabel(label) ? read(label) : null
  known.set(label, fresh)
  return fresh
}

/** Labels of a first name that mean something else where no last name is asked for: `ad` is an advertisement, too. */
const halves = ['ad', '名', '명']

export function isHalfAName(label: string): boolean {
  const plain = plainLabel(label)
  return halves.some((half) => plainLabel(half) === plain)
}

const shortestPart = 3

let phoneSpellings: readonly string[] | undefined

function knownPhoneSpellings(): readonly string[] {
  phoneSpellings ??= [...knownRoles()].flatMap(([plain, role]) =>
    role === 'phone' && plain.length >= shortestPart ? [plain] : [],
  )
  return phoneSpellings
}

// Scripts that put no spaces between words, where a part of the label has to be looked for.
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

/** "Best number to call, with country code" is no label of a phone number, but a number that stands there is one. */
export const mentionsPhone = (label: string): boolean => {
  if (wordsOf(label).some((word) => knownRoles().get(word) === 'phone')) return true
  const plain = plainLabel(label)
  return unspaced.test(plain) && knownPhoneSpellings().some((spelling) => plain.includes(spelling))
}
