import { looksLikePhone, phoneKey } from './contact-key.ts'
import type { FormField } from './labelled-field.ts'
import { plainKey } from './labels/plain-label.ts'
import { roleOf } from './labels/role-of.ts'

// A call or a message has two sides. One is the person; the other is the business, whose number must never be stored.

const numbered = '(?:id)?(?:num|no|number|phone|phonenumber|msisdn)?$'
const caller = new RegExp(`^call(?:er|ing)${numbered}`)
const sentBy = new RegExp(
  `^(?:(?:call|message|msg|sms)?from|call(?:er|ing)|sender|src|originator|sourceaddr(?:ess)?|deviceaddress)${numbered}`,
)
const sentTo = new RegExp(
  `^(?:(?:call|message|msg|sms)?to|called|dest|callee|recipient|dst|receiver|destination(?:addr|address)?|inbound(?:address)?)${numbered}`,
)
const remote =
  /^(?:participant|counterpart|counterparty|remote|remoteparty|external|externalparty)(?:no|number|phone|phonenumber|jid)?$|^chat(?:id|jid)?$/
const wroteMail = /^(?:from|sender)(?:name|email|emailaddress|address)?$/
const gotMail = /^(?:to|recipient|receiver)(?:email|emailaddress|address)?$/
const business = /^(?:business|account|agent|assistant|bot)(?:phone|phonenumber|number|name|email)$/
const customer = /^(?:customer|caller|contact|client|visitor)(?:phone|phonenumber|number)$/
const part = /^(?:number|phone|phonenumber|msisdn|address|value)$/

const keyOf = ({ place }: FormField) => plainKey(place?.key ?? '')
const ownerOf = ({ place }: FormField) => place?.owner ?? ''
const lastStep = (owner: string) => plainKey(owner.slice(owner.lastIndexOf('.') + 1))

/** `from: {number: '…'}` is the same as `from: '…'`. */
const isOn = (side: RegExp) => (field: FormField) =>
  side.test(keyOf(field)) ||
  (part.test(keyOf(field)) &&
    (side.test(lastStep(ownerOf(field))) || side.test(lastStep(ownerOf(field)) + keyOf(field))))

const flags = /^(?:is)?(?:(outgoing|outbound|fromme)|incoming|inbound)$/
const kinds = /^(?:event|type|eventtype|eventname|messagetype|action|flags?)$/

/** `outbound`, `message.sent`, `isIncoming: false`: the business called or wrote. */
export const isOutgoing = (field: FormField): boolean => {
  const flag = flags.exec(keyOf(field))
  if (flag !== null) return field.value === String(flag[1] !== undefined)
  if (keyOf(field).endsWith('direction')) return /^out/i.test(field.value)
  return kinds.test(keyOf(field)) && /^(?:outbound|outgoing)|(?:^|\W)(?:outbound|outgoing|sent)$/i.test(field.value)
}

/** Both sides have a value, so this is the record of a call or a message and not a form. */
export const hasTwoSides = (fields: readonly FormField[]): boolean =>
  [sentBy, sentTo].every((side) => fields.some(isOn(side)))

/** Eight digits may be a date; ten or thirteen that begin with a one may be a timestamp. */
const bareDigits = /^(?!(?:19|20)\d{6}$|1\d{9}$|1\d{12}$)\d{8,15}$/
const isNumber = ({ value }: FormField) => bareDigits.test(value.trim()) || looksLikePhone(value)

/** `from` and `to` may also be dates, so bare digits count only where the key, the other side, or a message says so. */
const isCalled = (field: FormField, talks: ReadonlySet<string>) => {
  if (phoneKey(field.value) === null) return false
  if (/no$|num$|number|phone|call/.test(keyOf(field))) return /^\d{8,15}$/.test(field.value.trim()) || isNumber(field)
  return looksLikePhone(field.value) || (isNumber(field) && talks.has(ownerOf(field)))
}

const parentOf = (owner: string) => owner.slice(0, Math.max(0, owner.lastIndexOf('.')))

/** The number of the person on the other side of a call or a message. */
export const unlabelledCaller = (fields: readonly FormField[]): FormField | undefined => {
  const [theirs, ours] = fields.some(isOutgoing) ? [sentTo, sentBy] : [sentBy, sentTo]
  const called = fields.filter((field) => isOn(ours)(field) && isNumber(field)).map(ownerOf)
  const said = fields.filter(({ place }) => roleOf(place?.key ?? '') === 'message').map(ownerOf)
  const talks = new Set([...called, ...said, ...said.map(parentOf)])
  const isTheirs = (field: FormField) =>
    isOn(theirs)(field) || (keyOf(field) === 'number' && called.includes(ownerOf(field)))
  return (
    fields.find((field) => isOn(remote)(field) && isCalled(field, new Set())) ??
    fields.find((field) => isTheirs(field) && isCalled(field, talks))
  )
}

/** The fields without the addresses that a message was sent to, if it also names its sender. */
export const withoutOurs = (fields: readonly FormField[]): readonly FormField[] =>
  fields.some((field) => isOn(sentBy)(field) || isOn(wroteMail)(field))
    ? fields.filter((field) => !isOn(sentTo)(field) && !isOn(gotMail)(field))
    : fields

/** Marks the fields of the business in the record of a call or a message. */
export const withCallParties = (fields: readonly FormField[]): readonly FormField[] => {
  if (fields.some(isOutgoing)) return fields
  const numbers = fields.filter(isNumber)
  const called = numbers.filter(isOn(sentTo))
  const callers = numbers.filter(isOn(caller))
  const isCall = fields.some(({ place }) => /(?:^|[._])caller/i.test(`${place?.owner}.${place?.key}`))
  const isTracked = fields.some((field) => /^tracking(?:phone)?num(?:ber)?$/.test(keyOf(field)))
  /** A name or an e-mail address beside a number says that the number is that person's. */
  const isNamed = (field: FormField) =>
    fields.some((other) => ownerOf(other) === ownerOf(field) && /^(?:name|email)$/.test(roleOf(keyOf(other)) ?? ''))
  const isDialed = (field: FormField) =>
    numbers.some(isOn(sentBy)) &&
    called.some(({ value }) => value === field.value) &&
    (called.some((other) => ownerOf(other) === ownerOf(field)) || !isNamed(field))
  const isBesideCaller = (field: FormField) =>
    /^phone(?:number)?$/.test(keyOf(field)) &&
    callers.some((one) => ownerOf(one) === ownerOf(field) && one.value !== field.value && !isNamed(one))
  const isOfBusiness = (field: FormField) =>
    isOn(business)(field) &&
    (isCall || hasTwoSides(numbers) || (fields.some(isOn(customer)) && phoneKey(field.value) !== null))
  const isOurs = (field: FormField) =>
    isDialed(field) || isBesideCaller(field) || isOfBusiness(field) || (isTracked && roleOf(keyOf(field)) === 'company')
  const isNumberOfCustomer = (field: FormField) => isOn(customer)(field) && looksLikePhone(field.value)
  return fields
    .map((field) => (isOurs(field) ? { ...field, isOthers: true } : field))
    .map((field) => (isNumberOfCustomer(field) ? { ...field, labels: ['phone'] } : field))
}
