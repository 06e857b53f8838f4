import { looksLikePhone, phoneKey } from './contact-key.ts'
import { isWrapper } from './containers.ts'
import type { FormField } from './labelled-field.ts'
import { plainKey } from './labels/plain-label.ts'
import { readLabel } from './labels/role-of.ts'

// A call or a message has two sides, one of which is ours. On the other stands the person.

/** Whoever calls or writes stands under `from`, as we stand under `to`; of what we sent it is the other way round. */
const numbered = '(?:num|no|number|phone|phonenumber|msisdn)?'
const sentBy = new RegExp(
  `^(?:(?:call|message|msg|sms)?from${numbered}|call(?:er|ing)(?:id)?${numbered}|sender${numbered}|src|originator|sourceaddr(?:ess)?|deviceaddress)$`,
)
const sentTo = new RegExp(
  `^(?:(?:call|message|msg|sms)?to${numbered}|called${numbered}|dest${numbered}|callee${numbered}|recipient${numbered}|dst|receiver|destination(?:addr|address|number)?|inbound(?:address|number))$`,
)

const keyOf = ({ place }: FormField) => plainKey(place?.key ?? '')
/** `from: {number: '…'}` says as much as `from: '…'`. */
const part = /^(?:number|phone|phonenumber|msisdn|address|value)$/
const ownerKeyOf = ({ place }: FormField) => plainKey(place?.owner.slice(place.owner.lastIndexOf('.') + 1) ?? '')
const stands = (side: RegExp, field: FormField) =>
  field.place !== undefined && (side.test(keyOf(field)) || (part.test(keyOf(field)) && side.test(ownerKeyOf(field))))

const kindKeys = /^(?:event|type|eventtype|eventname|action|flags?)$/
const outgoingFlags = /^(?:is)?(?:outgoing|outbound|fromme)$/
const incomingFlags = /^(?:is)?(?:incoming|inbound)$/

/** `outbound`, `message.sent`, `isIncoming: false`: whatever says on which way the message went. */
const isOutgoing = (field: FormField) => {
  const key = keyOf(field)
  if (key.endsWith('direction')) return /^out/i.test(field.value)
  if (outgoingFlags.test(key)) return field.value === 'true'
  if (incomingFlags.test(key)) return field.value === 'false'
  return kindKeys.test(key) && /outbound|outgoing|(?:sent|delivered)$/i.test(field.value)
}

const ownFlag = /^(?:is)?fromme$/

/** What we wrote in a chat ourselves, from another device. */
export const isOwnMessage = (fields: readonly FormField[]): boolean => {
  const flags = fields.filter((field) => ownFlag.test(keyOf(field)))
  return flags.length > 0 && flags.every(({ value }) => value === 'true')
}

/** Eight digits may be a day, and ten or thirteen that begin with a one the seconds or milliseconds of a clock. */
const digits = /^(?!(?:19|20)\d{6}$|1\d{9}$|1\d{12}$)\d{8,15}$/
const anyDigits = /^\d{8,15}$/
const isNumber = (text: string) => digits.test(text.trim()) || looksLikePhone(text)

/**
 * Below `from` and `to` stand days and words as well: bare digits are a number where the key says so, and where the other
 * side has one or something was said.
 */
const isCalled = ({ place, value }: FormField, inTalk: ReadonlySet<string>) => {
  if (phoneKey(value) === null) return false
  if (looksLikePhone(value)) return true
  if (/no$|number|phone|call/i.test(place?.key ?? '')) return anyDigits.test(value.trim())
  return digits.test(value.trim()) && inTalk.has(place?.owner ?? '')
}

/** The objects in which that side has a number. */
const ownersOf = (side: RegExp, fields: readonly FormField[]): ReadonlySet<string> =>
  new Set(fields.filter((field) => stands(side, field) && isNumber(field.value)).map(({ place }) => place?.owner ?? ''))

const isMessage = (key: string) => readLabel(key)?.role === 'message'
const roleOf = ({ place }: FormField) => readLabel(place?.key ?? '')?.role

/** The objects in which something was said, also in an object of its own: `text` and `text.body`. */
const spokenIn = (fields: readonly FormField[]): readonly string[] =>
  fields.flatMap(({ place }) => {
    if (place === undefined || !isMessage(place.key)) return []
    const steps = place.owner.split('.')
    return isMessage(steps.at(-1) ?? '') ? [place.owner, steps.slice(0, -1).join('.')] : [place.owner]
  })

/** A `number` beside the one that was called. */
const isBareNumber = (field: FormField, otherOwners: ReadonlySet<string>) =>
  keyOf(field) === 'number' && otherOwners.has(field.place?.owner ?? '')

/** Whichever way it went. */
const remote =
  /^(?:participant|counterpart|counterparty|remote|remoteparty|external|externalparty)(?:no|number|phone|phonenumber|jid)?$|^chat(?:id|jid)?$/
const nowhere: ReadonlySet<string> = new Set()

/** The number of whoever is on the other side of a call or a message. */
export const unlabelledCaller = (fields: readonly FormField[]): FormField | undefined => {
  const participant = fields.find((field) => stands(remote, field) && isCalled(field, nowhere))
  if (participant !== undefined) return participant
  const [side, other] = fields.some(isOutgoing) ? [sentTo, sentBy] : [sentBy, sentTo]
  const otherOwners = ownersOf(other, fields)
  const sided = fields.filter((field) => stands(side, field) || isBareNumber(field, otherOwners))
  if (sided.length === 0) return undefined
  const inTalk = new Set([...otherOwners, ...spokenIn(fields)])
  return sided.find((field) => isCalled(field, inTalk))
}

/** The fields without those that were written to, which are ours where somebody else's stand beside them. */
export const withoutOurs = (fields: readonly FormField[]): readonly FormField[] =>
  fields.some((field) => stands(sentBy, field) || stands(sender, field))
    ? fields.filter((field) => !stands(sentTo, field) && !stands(addressWrittenTo, field))
    : fields

const sender = /^(?:from|sender)(?:name|email|emailaddress|address)?$/
const nameWrittenTo = /^(?:to|recipient|receiver)(?:full)?name$/
const addressWrittenTo = /^(?:to|recipient|receiver)(?:email|emailaddress|address)?$/

/** What a field tells of whom we wrote to. */
const labelWrittenTo = (field: FormField): 'name' | 'email' | null => {
  if (stands(nameWrittenTo, field)) return 'name'
  return stands(addressWrittenTo, field) && field.value.includes('@') ? 'email' : null
}

const whomWeWroteTo = (field: FormField): FormField => {
  const label = labelWrittenTo(field)
  if (label !== null) return { ...field, labels: [label] }
  return stands(sender, field) ? { ...field, isOthers: true } : field
}

const ofBusiness = /^(?:business|account|agent|assistant|bot)(?:phone|phonenumber|number|name|email)$/
const ofCustomer = /^(?:customer|client|visitor)(?:phone|phonenumber|number)$/
const isCallers = ({ place }: FormField) => /(?:^|[._])caller/i.test(`${place?.owner ?? ''}.${place?.key ?? ''}`)

/** Beside a caller, a business is whoever was called; beside a customer's number, its number is. */
const withoutBusiness = (fields: readonly FormField[]): readonly FormField[] => {
  if (!fields.some((field) => stands(ofBusiness, field))) return fields
  const isCall = fields.some(isCallers) || [sentBy, sentTo].every((side) => ownersOf(side, fields).size > 0)
  if (!isCall && !fields.some((field) => stands(ofCustomer, field))) return fields
  const isOurs = (field: FormField) => stands(ofBusiness, field) && (isCall || phoneKey(field.value) !== null)
  return fields.map((field) => (isOurs(field) ? { ...field, isOthers: true } : field))
}

const trackingNumber = /^tracking(?:phone)?num(?:ber)?$/

/** Whoever tracks calls names the company that was called. */
const withoutTracked = (fields: readonly FormField[]): readonly FormField[] =>
  fields.some((field) => trackingNumber.test(keyOf(field)))
    ? fields.map((field) => (roleOf(field) === 'company' ? { ...field, isOthers: true } : field))
    : fields

/** Of somebody who is named where nothing is said of the calls with them. */
const isTellingOf = (person: FormField, calls: ReadonlySet<string>, fields: readonly FormField[]) => {
  const owner = person.place?.owner ?? ''
  const isBeside = (field: FormField) =>
    field.place?.owner === owner && /^(?:name|first|email)$/.test(roleOf(field) ?? '')
  return (
    roleOf(person) === 'phone' &&
    !calls.has(owner) &&
    (owner === '' || isWrapper(ownerKeyOf(person))) &&
    fields.some(isBeside)
  )
}

/** The number that was called is ours under every other name, too. */
const withoutCalled = (fields: readonly FormField[]): readonly FormField[] => {
  if (!fields.some((field) => stands(sentBy, field) && isNumber(field.value))) return fields
  const called = new Set(fields.filter((field) => stands(sentTo, field)).map(({ value }) => value))
  const calls = new Set(fields.filter((field) => stands(sentTo, field)).map(({ place }) => place?.owner ?? ''))
  const isOurs = (field: FormField) =>
    called.has(field.value) && isNumber(field.value) && !isTellingOf(field, calls, fields)
  return called.size === 0 ? fields : fields.map((field) => (isOurs(field) ? { ...field, isOthers: true } : field))
}

const callersNumber = /^call(?:er|ing)(?:id)?(?:no|number|phone|phonenumber)?$/

/** Where nothing but a caller is told of, another number beside theirs is the one they called. */
const withoutDialled = (fields: readonly FormField[]): readonly FormField[] => {
  const callers = fields.filter((field) => stands(callersNumber, field) && isNumber(field.value))
  const owners = new Set(callers.map(({ place }) => place?.owner))
  const isTold = (field: FormField) => owners.has(field.place?.owner) && /^(?:name|email)$/.test(roleOf(field) ?? '')
  if (callers.length === 0 || fields.some(isTold)) return fields
  const values = new Set(callers.map(({ value }) => value))
  const isDialled = (field: FormField) =>
    owners.has(field.place?.owner) && /^phone(?:number)?$/.test(keyOf(field)) && !values.has(field.value)
  return fields.map((field) => (isDialled(field) ? { ...field, isOthers: true } : field))
}

/** A customer's number may be that of an account, but not where it is written as a telephone's is. */
const isNumberOfCustomer = (field: FormField) =>
  (stands(/^(?:customer|caller|contact|client)number$/, field) ||
    (keyOf(field) === 'number' && /^(?:customer|caller|contact|client)$/.test(ownerKeyOf(field)))) &&
  looksLikePhone(field.value)

const withTelephone = (field: FormField): FormField =>
  isNumberOfCustomer(field) ? { ...field, labels: ['phone'] } : field

/** Marks what is ours of what tells of a call or a message. */
export const withCallParties = (fields: readonly FormField[]): readonly FormField[] => {
  if (fields.some(isOutgoing))
    return fields.some((field) => labelWrittenTo(field) !== null) ? fields.map(whomWeWroteTo) : fields
  return withoutTracked(withoutBusiness(withoutDialled(withoutCalled(fields)))).map(withTelephone)
}
