import { looksLikePhone, phoneKey } from './contact-key.ts'
import type { FormField } from './labeled-field.ts'
import { plainKey } from './labels/plain-label.ts'
import { roleOf } from './labels/role-of.ts'

// A call or a message has two sides. One is the person; the other is the business, whose number must never be stored.

const verb = '(?:call|message|msg|sms)?'
const kind = '(?:id)?(?:num|no|number|phone|phonenumber|msisdn|name|email|emailaddress|address|addr)?'
const caller = new RegExp(`^(?:caller|calling)${kind}$`)
const sentBy = new RegExp(`^${verb}(?:from|caller|calling|sender|src|originator|source(?=addr)|device(?=addr))${kind}$`)
const sentTo = new RegExp(`^${verb}(?:to|called|dest|callee|recipient|dst|receiver|destination|inbound)${kind}$`)
const remote =
  /^(?:participant|counterpart|remote|external)(?:party)?(?:no|number|phone|phonenumber|jid)?$|^chat(?:id|jid)?$/
const business = /^(?:business|account|agent|assistant|bot)(?:phone|phonenumber|number|name|email)$/
const customer = /^(?:customer|caller|contact|client|visitor)(?:phone|phonenumber|number)$/

export const keyOf = ({ location }: FormField) => plainKey(location?.key ?? '')
const ownerOf = ({ location }: FormField) => location?.owner ?? ''
const isRole = (field: FormField, roles: RegExp) => roles.test(roleOf(keyOf(field)) ?? '')

/** `from: {number: '…'}` is the same as `from: '…'` or `from_number`. */
const isOn = (side: RegExp) => (field: FormField) => {
  const key = keyOf(field)
  if (!/^(?:number|phone|phonenumber|msisdn|address|value)$/.test(key)) return side.test(key)
  const above = plainKey(ownerOf(field).slice(ownerOf(field).lastIndexOf('.') + 1))
  return side.test(above) || side.test(above + key)
}

/** Eight digits may be a date; ten or thirteen that begin with a one may be a timestamp. */
const bareDigits = /^(?!(?:19|20)\d{6}$|1\d{9}$|1\d{12}$)\d{8,15}$/
const isNumber = ({ value }: FormField) => bareDigits.test(value.trim()) || looksLikePhone(value)

const isAddress = (field: FormField) => field.value.includes('@') || isNumber(field)

/** Both sides have a value, so this is the record of a call or a message. A journey has two places. */
export const hasTwoSides = (fields: readonly FormField[]): boolean =>
  [sentBy, sentTo].every((side) => fields.some(isOn(side))) &&
  fields.some((field) => (isOn(sentBy)(field) || isOn(sentTo)(field)) && isAddress(field))

/** `from` and `to` may be dates, so bare digits count only if the key, the other side, or a message says so. */
const isCalled = (field: FormField, conversations: ReadonlySet<string>) => {
  if (phoneKey(field.value) === null) return false
  if (/no$|num$|number|phone|call/.test(keyOf(field)) && /^\d{8,15}$/.test(field.value.trim())) return true
  return looksLikePhone(field.value) || (isNumber(field) && conversations.has(ownerOf(field)))
}

/** The number of the person on the other side of a call or a message. */
export const unlabeledCaller = (fields: readonly FormField[]): FormField | undefined => {
  const called = new Set(fields.filter((field) => isOn(sentTo)(field) && isNumber(field)).map(ownerOf))
  const messageOwners = fields.filter((field) => isRole(field, /^message$/)).map(ownerOf)
  // Some telephone systems send numbers without a plus, and short ones of their own.
  const callOwners = fields.filter((field) => /^(?:call(?:id|sid|uuid)|direction)$/.test(keyOf(field))).map(ownerOf)
  const conversations = new Set([
    ...called,
    ...callOwners,
    ...messageOwners,
    ...messageOwners.map((owner) => owner.split('.').slice(0, -1).join('.')),
  ])
  const isTheirs = (field: FormField) =>
    isOn(sentBy)(field) || (keyOf(field) === 'number' && called.has(ownerOf(field)))
  return (
    fields.find((field) => isOn(remote)(field) && isCalled(field, new Set())) ??
    fields.find((field) => isTheirs(field) && isCalled(field, conversations))
  )
}

/** The fields without the addresses that a message was sent to, if it also names its sender. */
export const withoutBusiness = (fields: readonly FormField[]): readonly FormField[] =>
  fields.some(isOn(sentBy)) ? fields.filter((field) => !isOn(sentTo)(field)) : fields

/** Marks the fields of the business in the record of a call or a message. */
export const markCallParties = (fields: readonly FormField[]): readonly FormField[] => {
  const numbers = fields.filter(isNumber)
  const called = numbers.some(isOn(sentBy)) ? numbers.filter(isOn(sentTo)) : []
  const [calledNumbers, calls] = [new Set(called.map(({ value }) => value)), new Set(called.map(ownerOf))]
  const named = new Set(fields.filter((field) => isRole(field, /^(?:name|email)$/)).map(ownerOf))
  const callers = new Map(numbers.filter(isOn(caller)).map((field) => [ownerOf(field), field.value]))
  const isCall = hasTwoSides(numbers) || fields.some(isOn(caller))
  const isTracked = fields.some(isOn(/^tracking(?:phone)?num(?:ber)?$/))
  /** The number that was called, under any key; not if it has a name or an email address next to it. */
  const isDialed = (field: FormField) => {
    const [owner, value] = [ownerOf(field), field.value]
    if (calledNumbers.has(value)) return calls.has(owner) || !named.has(owner)
    return /^phone(?:number)?$/.test(keyOf(field)) && (callers.get(owner) ?? value) !== value && !named.has(owner)
  }
  const isOfBusiness = (field: FormField) =>
    isDialed(field) ||
    (isOn(business)(field) && (isCall || (fields.some(isOn(customer)) && isNumber(field)))) ||
    (isTracked && isRole(field, /^company$/))
  return fields.map((field) => {
    if (isOfBusiness(field)) return { ...field, isOtherParty: true }
    return isOn(customer)(field) && looksLikePhone(field.value) ? { ...field, labels: ['phone'] } : field
  })
}
