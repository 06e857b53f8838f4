import { looksLikePhone, phoneKey } from './contact-key.ts'
import type { FormField } from './labelled-field.ts'
import { plainKey } from './labels/plain-label.ts'

/** Whoever calls or writes stands under `from`, as we stand under `to`; of what we sent it is the other way round. */
const numbered = '(?:no|number|phone|phonenumber|msisdn)?'
const sentBy = new RegExp(
  `^(?:(?:call|message|msg|sms)?from${numbered}|caller(?:id)?${numbered}|sender${numbered}|src|originator)$`,
)
const sentTo = new RegExp(
  `^(?:(?:call|message|msg|sms)?to${numbered}|called${numbered}|callee${numbered}|recipient${numbered}|dst|receiver)$`,
)
const stands = (side: RegExp, { place }: FormField) => place !== undefined && side.test(plainKey(place.key))

const kindKeys = /^(?:event|type|eventtype|eventname|action)$/
/** `outbound`, `message.sent`: whatever says on which way the message went. */
const isOutgoing = ({ place, value }: FormField) => {
  const key = plainKey(place?.key ?? '')
  if (key.endsWith('direction')) return /^out/i.test(value)
  return kindKeys.test(key) && /outbound|outgoing|(?:sent|delivered)$/i.test(value)
}

/** Eight digits may be a day, and ten or thirteen that begin with a one the seconds or milliseconds of a clock. */
const digits = /^(?!(?:19|20)\d{6}$|1\d{9}$|1\d{12}$)\d{8,15}$/
const isNumber = (text: string) => digits.test(text.trim()) || looksLikePhone(text)
/** Below `from` and `to` stand days and words as well: bare digits are a number where the other side has one, too. */
const isCalled = (field: FormField, fields: readonly FormField[], other: RegExp) => {
  const { place, value } = field
  if (phoneKey(value) === null) return false
  if (looksLikePhone(value)) return true
  if (!digits.test(value.trim())) return false
  if (/no$|number|phone|call/i.test(place?.key ?? '')) return true
  const isAnswered = ({ place: beside, value: number }: FormField) => beside?.owner === place?.owner && isNumber(number)
  return fields.some((one) => stands(other, one) && isAnswered(one))
}

/** The number of whoever is on the other side of a call or a message. */
export const strayCaller = (fields: readonly FormField[]) => {
  const [side, other] = fields.some(isOutgoing) ? [sentTo, sentBy] : [sentBy, sentTo]
  return fields.find((field) => stands(side, field) && isCalled(field, fields, other))
}

/** The number that was written to is ours where somebody else's stands beside it. */
export const isOurs = (field: FormField, fields: readonly FormField[]) =>
  stands(sentTo, field) && fields.some((other) => stands(sentBy, other))
