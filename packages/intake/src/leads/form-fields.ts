import { isRecord, type JsonRecord, lineAt } from '../sanitize/json-path.ts'
import { answerText } from './answer-text.ts'
import { fieldsPerPerson } from './bounds.ts'
import { isOtherPartyKey, isRecipientKey, isSkipped, isStaffBeside, isTechnical, isWrapper } from './containers.ts'
import { asField, type FormField, hasParts, labeledField, namesOf, recordOfPairs, valueKeyOf } from './labeled-field.ts'
import { plainKey, wordsOf } from './labels/plain-label.ts'
import { roleOf } from './labels/role-of.ts'
import { isPersonWord } from './labels/words.ts'
import { hasContact, isEnvelope, isOwnParty, isPersonal } from './object-kind.ts'

/** Keys visited per field that may be found, because many keys are technical or empty. */
const visitsPerField = 4
const maxDepth = 8

const startOfWalk = {
  path: [] as readonly string[],
  /** The path with the positions in lists, and that of the object around it. */
  location: '',
  owner: '',
  isListed: false,
  /** In a list with a person who is not one of our own staff. */
  isAmongOthers: false,
  isPerson: false,
  isContact: false,
  isCompany: false,
  isOtherParty: false,
  isRecipient: false,
  isDoubtful: false,
}

/** The position of the walk, and the context of the enclosing objects. */
type Walk = Readonly<typeof startOfWalk> & { readonly found: FormField[]; readonly budget: { visits: number } }

/** Keys that describe the notation of the enclosing value: `phone.full`, `email.value`, `Name.title.plain_text`. */
const neutral = /^(?:value|text|full|number|content|raw|formatted|international|plain|answer|en)$/i

/** `name.first` is a first name, even if the name has another label: `names.first_name`, `q3_name.first`. */
const partOfName = (steps: readonly string[]): string | null => {
  const [above, last] = [steps.at(-2), steps.at(-1)]
  if (above === undefined || last === undefined || roleOf(above) !== 'name') return null
  return /^(?:first|last)$/.test(roleOf(last) ?? '') ? last : null
}

/** Relays flatten objects into names: `contact__email`, `name.first`, `fields[phone]`, but not "Mobile no.". */
const flattened = /__|\.(?=\S)|[[\]]/

/** Reads `contact.first_name` as a first name, and `company.name` as a company name rather than a name. */
const pathField = (walk: Walk, value: string): FormField => {
  const { path, owner, isOtherParty, isRecipient, isDoubtful } = walk
  const isMeaningful = (step: string) => step !== '' && !isWrapper(step)
  const meaningful = path.flatMap((step) => step.split(flattened)).filter(isMeaningful)
  if (meaningful.length > 2 && meaningful.at(-1) === 'plain_text') meaningful.splice(-2)
  const isBeside = isWrapper(path.at(-2) ?? '')
  while (meaningful.length > 1 && !isBeside && neutral.test(meaningful.at(-1) ?? '')) meaningful.pop()
  // In `firstname: {value: 'Ann'}` the value replaces the enclosing object.
  const isWrappedValue = path.at(-1) === 'value' && owner.endsWith(`.${path.at(-2) ?? ''}`)
  const key = (isWrappedValue ? path.at(-2) : path.at(-1)) ?? 'answer'
  const label = partOfName(meaningful) ?? (meaningful.join(' ') || key)
  return {
    labels: labelsIn(walk, label, key),
    question: path.filter(isMeaningful).join(' ') || key,
    value,
    isOtherParty,
    isRecipient,
    isDoubtful,
    location: { owner: isWrappedValue ? owner.slice(0, -key.length - 1) : owner, key },
  }
}

/** `customer_phone` belongs to the customer in any object; the `contact_phone` of a shop belongs to the shop. */
const namesPerson = (key: string) => {
  const [whose = '', ...what] = wordsOf(key)
  return what.length > 0 && (whose === 'caller' || (isPersonWord(whose) && !/^[ck]onta/.test(whose)))
}

/** In the object of a person or a recipient, the key itself is a label. */
const labelsIn = (walk: Walk, label: string, key: string): readonly string[] => {
  const role = roleOf(key)
  if (walk.isCompany && (role === 'name' || role === 'company')) return ['company']
  if (label === key) return [label]
  const isOwn = walk.isPerson || walk.isRecipient || (walk.isContact && role === 'company') || namesPerson(key)
  return isOwn ? [label, key] : [label]
}

/** A deal has a `title` and a `value` like a field, but also a person. The value of a field may be a contact. */
const holdsPerson = (record: JsonRecord) =>
  Object.entries(record).some(([key, value]) => {
    if (!isRecord(value)) return false
    return key === valueKeyOf(record)
      ? Object.hasOwn(value, 'email') || Object.hasOwn(value, 'phone')
      : hasContact(value)
  })

/** Fields are in a list, have a type, or name a role. A lead with a `name` and a `value` is not a field. */
const isField = (record: JsonRecord, isListed: boolean) =>
  (isListed ||
    lineAt(record, 'type', 'label', 'title', 'question', 'kind') !== null ||
    hasParts(record['answer']) ||
    (lineAt(record, 'text') !== null && Object.hasOwn(record, 'answer')) ||
    (valueKeyOf(record) !== undefined && roleOf(lineAt(record, 'name', 'key', 'field') ?? '') !== undefined)) &&
  !hasContact(record) &&
  !holdsPerson(record)

const listOfFields = /^(?:answers|fields|questions|elements)$/i

/** A heading or a button among the answers. */
const isUnanswered = (record: JsonRecord, { path }: Walk): boolean =>
  listOfFields.test(path.at(-2) ?? path.at(-1) ?? '') &&
  lineAt(record, 'type') !== null &&
  lineAt(record, 'text', 'label', 'title', 'question') !== null

const walkField = (sent: JsonRecord, walk: Walk): boolean => {
  const record = asField(sent)
  if (walk.path.length === 0 || !isField(record, walk.isListed)) return false
  const value = record[valueKeyOf(record) ?? '']
  const names = namesOf(record)
  if (names !== null && hasParts(value)) {
    const named = names.labels.find((label) => roleOf(label) !== undefined) ?? names.question
    walkRecord(value, stepTo(walk, named))
    return true
  }
  const field = labeledField(record)
  if (field === null) return isUnanswered(record, walk)
  const { found, path, isListed, isOtherParty, isRecipient } = walk
  // `email: {text: 'Where can we write to you?', answer: '…'}` and `phones: [{label: 'Work', value: '…'}]`.
  const isKindOfList = isListed && /^(?:email|phone)$/.test(roleOf(path.at(-1) ?? '') ?? '')
  const labels = [...(isKindOfList ? path.slice(-1) : []), ...field.labels, ...(isListed ? [] : path.slice(-1))]
  found.push({ ...field, labels, isOtherParty, isRecipient })
  return true
}

/** One step down, to the value of a key. */
const stepTo = (walk: Walk, key: string): Walk => ({
  ...walk,
  path: [...walk.path, key],
  location: walk.location === '' ? key : `${walk.location}.${key}`,
  owner: walk.location,
  isListed: false,
  isAmongOthers: false,
})

const kindOf = (record: JsonRecord, { path, isPerson: isInPerson }: Walk) => {
  const key = path.at(-1) ?? ''
  const isCalledCompany = path.length > 0 && roleOf(key) === 'company'
  const isWrappedValue = isInPerson && Object.hasOwn(record, 'value') && !isCalledCompany
  const isPerson = isWrappedValue || isPersonal(record) || isPersonWord(key)
  const isCompany = !isPerson && isCalledCompany
  // A first name in an object with an unknown name may belong to anyone.
  const isStranger = isPerson && path.length > 0 && !isInPerson && !isWrapper(key)
  const isDoubtful = isCompany || isEnvelope(record) || isStranger
  return { isPerson, isContact: hasContact(record), isCompany, isDoubtful }
}

/** Participants may be our own staff. In a form, "owner" or "agent" may be an answer. */
const takesPart =
  /^(?:(?:sender|author|participant|attendee|guest|invitee|speaker|creator|actor|initiator)s?|parties|from|by)$/

const isOwnStaff = (record: JsonRecord, { path, isAmongOthers }: Walk) =>
  (isAmongOthers || takesPart.test(plainKey(path.at(-1) ?? ''))) && isOwnParty(record)

const holdsSender = (value: JsonRecord) =>
  isPersonal(value) ||
  Object.entries(value).some(
    ([key, inner]) =>
      isRecord(inner) &&
      (/^(?:phone_?call|author)$/i.test(key) || ((key === 'sender' || isPersonWord(key)) && hasContact(inner))),
  )

/** Omits data about the delivery, unless it identifies the person: `meta.sender`, Intercom's `source.author`, `_replyto`. */
const isLeftOut = (key: string, value: unknown): boolean => {
  if (!(isTechnical(key) || isSkipped(key)) || key === '_embedded') return false
  return isRecord(value)
    ? !(/^(?:meta|source$)/i.test(key) && holdsSender(value))
    : !key.startsWith('_') || roleOf(key) !== 'email'
}

/** Some CRMs send the person instead of their id: `owner_id: {name: '…'}`. */
const withoutId = (key: string) => key.replace(/(?<=[a-z])(?:_id|Id)$/, '')

/** The person to whom the fields below a key belong. */
const partyAt = ([key, value]: readonly [string, unknown], record: JsonRecord, isOtherParty: boolean) => {
  if (typeof value !== 'object' || !(isOtherPartyKey(key) || isStaffBeside(key, record))) return { isOtherParty }
  return { isOtherParty: true, isRecipient: !isOtherParty && isRecipientKey(key) && holdsFields(value) }
}

const walkRecord = (record: JsonRecord, walk: Walk): void => {
  if (walkField(record, walk)) return
  const kind = kindOf(record, walk)
  const isOtherParty = walk.isOtherParty || isOwnStaff(record, walk)
  for (const [sent, value] of Object.entries(joinedNumber(record))) {
    if (value === null || value === undefined || value === '') continue
    const key = isRecord(value) ? withoutId(sent) : sent
    walk.budget.visits += 1
    if (walk.budget.visits > visitsPerField * fieldsPerPerson() || walk.found.length >= fieldsPerPerson()) return
    if (!isLeftOut(key, value))
      visit(value, { ...stepTo(walk, key), ...kind, ...partyAt([key, value], record, isOtherParty) })
  }
}

/** Jotform's older field for telephone numbers has two boxes. */
const joinedNumber = (record: JsonRecord): JsonRecord => {
  const [area, phone] = [lineAt(record, 'area'), lineAt(record, 'phone')]
  return area === null || phone === null ? record : { ...record, area: null, phone: `${area}${phone}` }
}

/** The fields of an answer may be in a nested list within the list of all answers. */
const holdsFields = (item: unknown): boolean => isRecord(item) || (Array.isArray(item) && item.some(isRecord))

const composed = /^(\w{1,30}) = (.*)$/

/** Formstack writes a field of several parts as one text: `first = Ann`, a line break, `last = Lee`. */
const partsIn = (text: string): JsonRecord | null => {
  const lines =
    text.length > 2_000 || !text.includes(' = ') ? [] : text.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => composed.exec(line.trim()))
  return pairs.length > 1 && pairs.every((pair) => pair !== null)
    ? Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]))
    : null
}

const walkList = (list: readonly unknown[], walk: Walk): void => {
  const items = list.slice(0, fieldsPerPerson())
  const isAmongOthers = items.some((item) => isRecord(item) && !isOwnParty(item))
  for (const [index, item] of items.entries()) {
    const path = Array.isArray(item) ? [...walk.path, '0'] : walk.path
    visit(item, { ...walk, path, location: `${walk.location}.${index}`, isListed: true, isAmongOthers })
  }
}

const visit = (sent: unknown, walk: Walk): void => {
  if (walk.found.length >= fieldsPerPerson() || walk.path.length > maxDepth) return
  const value = typeof sent === 'string' ? (partsIn(sent) ?? sent) : sent
  const pairs = Array.isArray(value) ? recordOfPairs(value) : null
  if (pairs !== null) walkRecord(pairs, walk)
  else if (isRecord(value)) walkRecord(value, walk)
  else if (Array.isArray(value) && value.some(holdsFields)) walkList(value, walk)
  else {
    const text = answerText(value)
    if (text !== null) walk.found.push(pathField(walk, text))
  }
}

/** Every field of a body of an unknown shape, in the order in which it was sent. */
export const collectFields = (body: unknown): readonly FormField[] => {
  const found: FormField[] = []
  visit(body, { ...startOfWalk, found, budget: { visits: 0 } })
  return found.filter(({ value }) => value.trim() !== '')
}
