import { parseJson } from '../sanitise/decode.ts'
import { isRecord, type JsonRecord, lineAt } from '../sanitise/json-path.ts'
import { answerText } from './answer-text.ts'
import { isOtherParty, isRecipient, isStaffBeside, isWrapper } from './containers.ts'
import {
  asField,
  type FormField,
  hasParts,
  labelledField,
  nameOfContact,
  namesOf,
  recordOfPairs,
  valueKeyOf,
} from './labelled-field.ts'
import { isPersonWord, isPlainPersonWord } from './labels/party-words.ts'
import { plainKey, wordsOf } from './labels/plain-label.ts'
import { readLabel } from './labels/role-of.ts'
import type { FieldRole } from './labels/roles.ts'
import { isLeftOut } from './left-out.ts'
import { hasContact, isCompanyRecord, isEnvelope, isOwnParty, isPersonal } from './object-kind.ts'
import { fieldsPerPerson, mayReadText } from './reading-budget.ts'

/** Keys that are looked at for each field that may be found: most are of machines or empty. */
const visitsPerField = 4
const deepest = 8

const roleOf = (label: string): FieldRole | null => readLabel(label)?.role ?? null

/** Keys that only say how the value above them is written: `phone.full`, `email.value`, `Name.title.plain_text`. */
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

/** In `firstname: {value: 'Ann'}` the value stands for the object around it. */
const isHolder = ({ path, owner }: Walk) => path.at(-1) === 'value' && owner.endsWith(`.${path.at(-2) ?? ''}`)

/** `contact.first_name` is a first name; `company.name` is known as `company name` and never as a name. */
const pathField = (walk: Walk, value: string): FormField => {
  const { path, owner, isOthers, isAddressed, isDoubtful } = walk
  const isTelling = (step: string) => step !== '' && !isWrapper(step)
  const telling = path.flatMap((step) => step.split(flattened)).filter(isTelling)
  if (telling.length > 2 && telling.at(-1) === 'plain_text') telling.splice(-2)
  const isBeside = isWrapper(path.at(-2) ?? '')
  while (telling.length > 1 && !isBeside && neutral.test(telling.at(-1) ?? '')) telling.pop()
  const isHeld = isHolder(walk)
  const last = (isHeld ? path.at(-2) : path.at(-1)) ?? 'answer'
  const question = path.filter(isTelling).join(' ') || last
  const label = partOfName(telling) ?? (telling.join(' ') || last)
  const labels = labelsIn(walk, label, last)
  const place = { owner: isHeld ? owner.slice(0, -last.length - 1) : owner, key: last }
  return { labels, question, value, isOthers, isAddressed, isDoubtful, place }
}

/** `customer_phone` is the customer's in any object; the `contact_phone` of a shop is the shop's. */
const saysWhose = (key: string) => {
  const [whose = '', ...what] = wordsOf(key)
  return what.length > 0 && (whose === 'caller' || (isPlainPersonWord(whose) && !/^[ck]onta/.test(whose)))
}

/** In an object that has a person, or an address, the fields mean what they are called. */
const labelsIn = (
  { isPerson, isContact, isCompany, isAddressed }: Walk,
  label: string,
  last: string,
): readonly string[] => {
  if (isCompany && /^(?:name|company)$/.test(roleOf(last) ?? '')) return ['company']
  if (label === last) return [label]
  if (saysWhose(last)) return [label, last]
  return isPerson || isAddressed || (isContact && roleOf(last) === 'company') ? [label, last] : [label]
}

/**
 * A lead with a `name` and a deal `value` is no field called after the person. Fields stand in a list or say what kind of
 * field they are, and hold nothing else that a person has. The parts of a name may stand beside it.
 */
const isField = (record: JsonRecord, isListed: boolean) =>
  (isListed || saysItIsAField(record) || isKnownField(record)) && !hasContact(record) && !holdsSomebody(record)

/** A deal has a `title` and a `value`, as a field has, and somebody it is about; a field may have a whole contact. */
const holdsSomebody = (record: JsonRecord) => {
  const valueKey = valueKeyOf(record)
  const isReached = (value: JsonRecord) => Object.hasOwn(value, 'email') || Object.hasOwn(value, 'phone')
  return Object.entries(record).some(
    ([key, value]) => isRecord(value) && (key === valueKey ? isReached(value) : hasContact(value)),
  )
}

const saysItIsAField = (record: JsonRecord) =>
  lineAt(record, 'type', 'label', 'title', 'question', 'kind') !== null ||
  hasParts(record['answer']) ||
  (lineAt(record, 'text') !== null && Object.hasOwn(record, 'answer'))

/** A field by itself: `{name: 'email', value: '…'}`. */
const isKnownField = (record: JsonRecord) =>
  valueKeyOf(record) !== undefined && roleOf(lineAt(record, 'name', 'key', 'field') ?? '') !== null

type Walk = {
  readonly found: FormField[]
  readonly path: readonly string[]
  /** Where the value stands, with its number in a list, and where the object that has it. */
  readonly location: string
  readonly owner: string
  readonly isListed: boolean
  /** In a list with somebody who does not say that they are ours. */
  readonly isAmongOthers: boolean
  readonly isPerson: boolean
  readonly isContact: boolean
  readonly isCompany: boolean
  readonly isOthers: boolean
  readonly isAddressed: boolean
  readonly isDoubtful: boolean
  readonly readsMetadata: boolean
  readonly budget: { visits: number }
}

/** A field whose value has parts is read as `Your name.first`, `Your name.last`. */
const walkParts = (record: JsonRecord, position: Walk): boolean => {
  const value = record[valueKeyOf(record) ?? '']
  const names = namesOf(record)
  if (names === null || !hasParts(value)) return false
  const named = names.labels.find((label) => roleOf(label) !== null) ?? names.question
  walkRecord(value, { ...position, ...stepTo(position, named), isListed: false, isAmongOthers: false })
  return true
}

const walkField = (sent: JsonRecord, position: Walk): boolean => {
  const record = asField(sent)
  if (position.path.length === 0 || !isField(record, position.isListed)) return false
  if (walkParts(record, position)) return true
  const field = labelledField(record)
  if (field === null) return isUnanswered(record, position)
  const { isOthers, isAddressed } = position
  const labels = [...kindOfList(position), ...field.labels, ...keyOfField(position)]
  position.found.push({ ...field, labels, isOthers, isAddressed })
  const contact = position.isListed ? null : nameOfContact(record)
  if (contact !== null && roleOf(contact) === null)
    position.found.push({ labels: ['name'], question: 'name', value: contact, isOthers, isAddressed })
  return true
}

/** In `phones: [{label: 'Work', value: '…'}]` the list says what its entries are. */
const kindOfList = ({ path, isListed }: Walk): readonly string[] => {
  const list = isListed ? (path.at(-1) ?? '') : ''
  return ['email', 'phone'].includes(roleOf(list) ?? '') ? [list] : []
}

/** In `email: {text: 'Where can we write to you?', answer: '…'}` the key says what it is. */
const keyOfField = ({ path, isListed }: Walk): readonly string[] => (isListed ? [] : path.slice(-1))

const listOfFields = /^(?:answers|fields|questions|elements)$/i

/** A heading or a button among the answers: its name is no person's. */
const isUnanswered = (record: JsonRecord, { path }: Walk): boolean =>
  listOfFields.test(path.at(-2) ?? path.at(-1) ?? '') &&
  lineAt(record, 'type') !== null &&
  lineAt(record, 'text', 'label', 'title', 'question') !== null

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

type Party = Pick<Walk, 'isOthers' | 'isAddressed'>

/** A CRM writes who is meant in the place of their id: `owner_id: {name: '…'}`. */
const withoutId = (key: string) => key.replace(/(?<=[a-z])(?:_id|Id)$/, '')

/** Whose the fields below a key are. */
const partyAt = (key: string, value: unknown, { record, around }: { record: JsonRecord; around: Party }): Party => {
  if (typeof value !== 'object' || !(isOtherParty(key) || isStaffBeside(key, record))) return around
  return { isOthers: true, isAddressed: !around.isOthers && isRecipient(key) && holdsFields(value) }
}

const isCalledPerson = ({ path }: Walk) => isPersonWord(path.at(-1) ?? '')

/** Somebody with a first name, but called nothing that people who get in touch are called. */
const isStranger = ({ path, isPerson }: Walk) => path.length > 0 && !isPerson && !isWrapper(path.at(-1) ?? '')

const isCalledCompany = ({ path }: Walk) => path.length > 0 && roleOf(path.at(-1) ?? '') === 'company'

/** One step down, to the value of a key. */
const stepTo = ({ path, location }: Walk, key: string): Pick<Walk, 'path' | 'location' | 'owner'> => ({
  path: [...path, key],
  location: location === '' ? key : `${location}.${key}`,
  owner: location,
})

type Kind = Pick<Walk, 'isPerson' | 'isContact' | 'isCompany' | 'isDoubtful'>

const kindOf = (record: JsonRecord, position: Walk): Kind => {
  const isHeld = position.isPerson && Object.hasOwn(record, 'value') && !isCalledCompany(position)
  const isPerson = isHeld || isPersonal(record) || isCalledPerson(position)
  const isCompany = !isPerson && (isCompanyRecord(record) || isCalledCompany(position))
  const isDoubtful = isCompany || isEnvelope(record) || (isPerson && isStranger(position))
  return { isPerson, isContact: hasContact(record), isCompany, isDoubtful }
}

const isSpent = ({ budget, found }: Walk) =>
  budget.visits > visitsPerField * fieldsPerPerson() || found.length >= fieldsPerPerson()

/** Who takes part in something, besides one of several; a form may ask anybody else whether they are an owner or an agent. */
const takesPart =
  /^(?:(?:sender|author|participant|attendee|guest|invitee|speaker|creator|actor|initiator)s?|parties|from|by)$/

const isParty = ({ path, isAmongOthers }: Walk) => isAmongOthers || takesPart.test(plainKey(path.at(-1) ?? ''))

const walkRecord = (record: JsonRecord, position: Walk): void => {
  if (walkField(record, position)) return
  const kind = kindOf(record, position)
  const isOthers = position.isOthers || (isParty(position) && isOwnParty(record))
  for (const [sent, value] of Object.entries(record)) {
    if (isEmpty(value)) continue
    const key = isRecord(value) ? withoutId(sent) : sent
    position.budget.visits += 1
    if (isSpent(position)) return
    if (isLeftOut(key, value, position.readsMetadata)) continue
    const party = partyAt(key, value, { record, around: { isOthers, isAddressed: position.isAddressed } })
    walk(value, { ...position, ...kind, ...stepTo(position, key), ...party, isListed: false, isAmongOthers: false })
  }
}

/** The fields of an answer may stand in a list of their own within the list of all answers. */
const holdsFields = (item: unknown): boolean => isRecord(item) || (Array.isArray(item) && item.some(isRecord))

const ofFunction = /^(?:arguments|args|parameters|params|input|payload)$/i
const mostArguments = 200

/** A model calls a function with its arguments as JSON in a text. */
const argumentsIn = (sent: unknown, { path }: Walk): unknown => {
  if (typeof sent !== 'string' || !sent.startsWith('{') || !ofFunction.test(path.at(-1) ?? '')) return sent
  if (!mayReadText(sent)) return sent
  try {
    return parseJson(sent, mostArguments)
  } catch {
    return sent
  }
}

const walk = (sent: unknown, position: Walk): void => {
  const value = argumentsIn(sent, position)

  const { found, path } = position
  if (found.length >= fieldsPerPerson() || path.length > deepest) return
  if (isRecord(value)) {
    walkRecord(value, position)
    return
  }
  const pairs = Array.isArray(value) ? recordOfPairs(value) : null
  if (pairs !== null) {
    walkRecord(pairs, position)
    return
  }
  if (Array.isArray(value) && value.some(holdsFields)) {
    const items: readonly unknown[] = value.slice(0, fieldsPerPerson())
    const isAmongOthers = items.some((item) => isRecord(item) && !isOwnParty(item))
    for (const [index, item] of items.entries())
      walk(item, {
        ...position,
        path: Array.isArray(item) ? [...path, '0'] : path,
        location: `${position.location}.${index}`,
        isListed: true,
        isAmongOthers,
      })
    return
  }
  const text = answerText(value)
  if (text !== null) found.push(pathField(position, text))
}

type Reading = { readonly readsMetadata?: boolean }

/** Every field of a body whose shape nobody promised, in the order in which it was sent. */
export const collectFields = (body: unknown, { readsMetadata = false }: Reading = {}): readonly FormField[] => {
  const found: FormField[] = []
  walk(body, {
    found,
    path: [],
    location: '',
    owner: '',
    isListed: false,
    isAmongOthers: false,
    isPerson: false,
    isContact: false,
    isCompany: false,
    isOthers: false,
    isAddressed: false,
    isDoubtful: false,
    readsMetadata,
    budget: { visits: 0 },
  })
  return found.filter(({ value }) => value.trim() !== '')
}
