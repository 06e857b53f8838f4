import { isRecord, type JsonRecord, lineAt } from '../sanitise/json-path.ts'
import { answerText } from './answer-text.ts'
import { isOtherParty, isOwnParty, isRecipient, isSkipped, isStaffBeside, isWrapper } from './containers.ts'
import { type FormField, hasParts, labelledField, nameOfContact, namesOf, valueKeyOf } from './labelled-field.ts'
import { plainKey } from './labels/plain-label.ts'
import { isPlumbing } from './labels/plumbing.ts'
import { readLabel } from './labels/role-of.ts'
import type { FieldRole } from './labels/roles.ts'
import { fieldsPerPerson } from './reading-budget.ts'

/** Keys that are looked at for each field that may be found: most are of machines or empty. */
const visitsPerField = 4
const deepest = 8

const roleOf = (label: string): FieldRole | null => readLabel(label)?.role ?? null

/** Keys that only say how the value above them is written: `phone.full`, `email.value`, `inquiry.text`. */
const neutral = /^(?:value|text|full|number|content|raw|formatted|international|plain|answer|en)$/i

/** `name.first` is a first name, also where the name itself is called otherwise: `names.first_name`, `q3_name.first`. */
const partOfName = (steps: readonly string[]): string | null => {
  const [above, last] = [steps.at(-2), steps.at(-1)]
  if (above === undefined || last === undefined || roleOf(above) !== 'name') return null
  const role = roleOf(last)
  return role === 'first' || role === 'last' ? last : null
}

/** Relays flatten objects into names: `contact__email`, `name.first`, `fields[phone]`. "Mobile no." is not one of them. */
const flattened = /__|\.(?=\S)|[[\]]/

/** `contact.first_name` is a first name; `company.name` is known as `company name` and never as a name. */
const pathField = (walk: Walk, value: string): FormField => {
  const { path, isOthers, isAddressed, isOuter } = walk
  const isTelling = (step: string) => step !== '' && !isWrapper(step)
  const telling = path.flatMap((step) => step.split(flattened)).filter(isTelling)
  while (telling.length > 1 && neutral.test(telling.at(-1) ?? '')) telling.pop()
  const last = path.at(-1) ?? 'answer'
  const question = path.filter(isTelling).join(' ') || last
  const label = partOfName(telling) ?? (telling.join(' ') || last)
  const place = { owner: path.slice(0, -1).join('.'), key: last }
  return { labels: labelsIn(walk, label, last), question, value, isOthers, isAddressed, isOuter, place }
}

/** In an object that has a person, or an address, the fields mean what they are called. */
const labelsIn = (
  { isPerson, isContact, isCompany, isAddressed }: Walk,
  label: string,
  last: string,
): readonly string[] => {
  if (isCompany && roleOf(last) === 'name') return ['company']
  if (label === last) return [label]
  return isPerson || isAddressed || (isContact && roleOf(last) === 'company') ? [label, last] : [label]
}

const companyKeys = ['vat_number', 'vatNumber', 'vat_id', 'business_type', 'company_type', 'legal_name']

/** Whatever has a number of its own in a register is called as a company is. */
const isCompanyRecord = (record: JsonRecord): boolean => companyKeys.some((key) => Object.hasOwn(record, key))

const personKeys = [
  ...[
    'first_name',
    'firstName',
    'firstname',
    'first-name',
    'last_name',
    'lastName',
    'lastname',
    'last-name',
    'fullName',
  ],
  ...['full_name', 'FirstName', 'LastName', 'First Name', 'Last Name'],
]

/** Whoever has a first name is a person, whatever the objects around are called: its fields are known by their own names. */
const isPersonal = (record: JsonRecord): boolean =>
  personKeys.some((key) => Object.hasOwn(record, key)) || firstKeysOf(record).some(isNameOfPerson)

const mostKeys = 20
const longestName = 12
const personNames = new Set(['firstname', 'lastname', 'fullname', 'givenname', 'familyname'])
const firstKeysOf = (record: JsonRecord) => Object.keys(record).slice(0, mostKeys)
const isNameOfPerson = (key: string) => key.length <= longestName && personNames.has(plainKey(key))

const contactKeys = [
  ...['email', 'Email', 'e-mail', 'phone', 'Phone', 'mobile', 'tel', 'company', 'first_name', 'firstName', 'firstname'],
  ...['first-name', 'last_name', 'lastName', 'lastname', 'last-name', 'FirstName', 'LastName'],
]

/** Whether an object itself has what a person has. Few keys are asked for, as this is asked of every object. */
export const hasContact = (record: JsonRecord): boolean => contactKeys.some((key) => Object.hasOwn(record, key))

/**
 * A lead with a `name` and a deal `value` is no field called after the person. Fields stand in a list or say what kind of
 * field they are, and hold nothing else that a person has. The parts of a name may stand beside it.
 */
const isField = (record: JsonRecord, isListed: boolean) =>
  (isListed || saysItIsAField(record) || isKnownField(record)) && !hasContact(record)

const saysItIsAField = (record: JsonRecord) =>
  lineAt(record, 'type', 'label', 'title', 'question', 'kind') !== null || hasParts(record['answer'])

/** A field by itself: `{name: 'email', value: '…'}`. */
const isKnownField = (record: JsonRecord) =>
  valueKeyOf(record) !== undefined && roleOf(lineAt(record, 'name', 'key', 'field') ?? '') !== null

const isEnvelope = (record: JsonRecord) =>
  !hasContact(record) &&
  Object.entries(record)
    .slice(0, 40)
    .some(([key, value]) => typeof value === 'object' && value !== null && isWrapper(key))

type Walk = {
  readonly found: FormField[]
  readonly path: readonly string[]
  readonly isListed: boolean
  readonly isPerson: boolean
  readonly isContact: boolean
  readonly isCompany: boolean
  readonly isOthers: boolean
  readonly isAddressed: boolean
  readonly isOuter: boolean
  readonly budget: { visits: number }
}

/** A field whose value has parts is read as `Your name.first`, `Your name.last`. */
const walkParts = (record: JsonRecord, position: Walk): boolean => {
  const value = record[valueKeyOf(record) ?? '']
  const names = namesOf(record)
  if (names === null || !hasParts(value)) return false
  const named = names.labels.find((label) => roleOf(label) !== null) ?? names.question
  walkRecord(value, { ...position, path: [...position.path, named], isListed: false })
  return true
}

const walkField = (record: JsonRecord, position: Walk): boolean => {
  if (position.path.length === 0 || !isField(record, position.isListed)) return false
  if (walkParts(record, position)) return true
  const field = labelledField(record)
  if (field === null) return isUnanswered(record, position)
  const { isOthers, isAddressed } = position
  position.found.push({ ...field, isOthers, isAddressed })
  const contact = position.isListed ? null : nameOfContact(record)
  if (contact !== null && roleOf(contact) === null)
    position.found.push({ labels: ['name'], question: 'name', value: contact, isOthers, isAddressed })
  return true
}

const listOfFields = /^(?:answers|fields|questions|elements)$/i

/** A heading or a button among the answers: its name is no person's. */
const isUnanswered = (record: JsonRecord, { path }: Walk): boolean =>
  listOfFields.test(path.at(-2) ?? path.at(-1) ?? '') &&
  lineAt(record, 'type') !== null &&
  lineAt(record, 'text', 'label', 'title', 'question') !== null

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

type Party = Pick<Walk, 'isOthers' | 'isAddressed'>

/** Whose the fields below a key are. */
const partyAt = (key: string, record: JsonRecord, around: Party): Party => {
  const value = record[key]
  if (typeof value !== 'object' || !(isOtherParty(key) || isStaffBeside(key, record))) return around
  return { isOthers: true, isAddressed: !around.isOthers && isRecipient(key) && holdsFields(value) }
}

const walkRecord = (record: JsonRecord, position: Walk): void => {
  if (walkField(record, position)) return
  const isOuter = isEnvelope(record)
  const isPerson = isPersonal(record)
  const isContact = hasContact(record)
  const isCompany = !isPerson && isCompanyRecord(record)
  const isOwn = position.isOthers || isOwnParty(record)
  for (const [key, value] of Object.entries(record)) {
    if (isEmpty(value)) continue
    position.budget.visits += 1
    if (position.budget.visits > visitsPerField * fieldsPerPerson() || position.found.length >= fieldsPerPerson())
      return
    if (isPlumbing(key) || isSkipped(key)) continue
    const party = partyAt(key, record, { isOthers: isOwn, isAddressed: position.isAddressed })
    const below = { path: [...position.path, key], isListed: false, isPerson, isContact, isCompany, isOuter }
    walk(value, { ...position, ...below, ...party })
  }
}

/** The fields of an answer may stand in a list of their own within the list of all answers. */
const holdsFields = (item: unknown): boolean => isRecord(item) || (Array.isArray(item) && item.some(isRecord))

const walk = (value: unknown, position: Walk): void => {
  const { found, path } = position
  if (found.length >= fieldsPerPerson() || path.length > deepest) return
  if (isRecord(value)) {
    walkRecord(value, position)
    return
  }
  if (Array.isArray(value) && value.some(holdsFields)) {
    for (const item of value.slice(0, fieldsPerPerson()))
      walk(item, { ...position, path: Array.isArray(item) ? [...path, '0'] : path, isListed: true })
    return
  }
  const text = answerText(value)
  if (text !== null) found.push(pathField(position, text))
}

/** Every field of a body whose shape nobody promised, in the order in which it was sent. */
export const collectFields = (body: unknown): readonly FormField[] => {
  const found: FormField[] = []
  walk(body, {
    found,
    path: [],
    isListed: false,
    isPerson: false,
    isContact: false,
    isCompany: false,
    isOthers: false,
    isAddressed: false,
    isOuter: false,
    budget: { visits: 0 },
  })
  return found.filter(({ value }) => value.trim() !== '')
}
