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
const isCalled = ({ place, value }: FormField, otherSide: ReadonlySet<string>) => {
  if (phoneKey(value) === null) return false
  if (looksLikePhone(value)) return true
  return (
    digits.test(value.trim()) && (/no$|number|phone|call/i.test(place?.key ?? '') || otherSide.has(place?.owner ?? ''))
  )
}

/** The objects in which that side has a number. */
const ownersOf = (side: RegExp, fields: readonly FormField[]): ReadonlySet<string> =>
  new Set(fields.filter((field) => stands(side, field) && isNumber(field.value)).map(({ place }) => place?.owner ?? ''))

/** The number of whoever is on the other side of a call or a message. */
export const strayCaller = (fields: readonly FormField[]): FormField | undefined => {
  const [side, other] = fields.some(isOutgoing) ? [sentTo, sentBy] : [sentBy, sentTo]
  const otherSide = ownersOf(other, fields)
  return fields.find((field) => stands(side, field) && isCalled(field, otherSide))
}

/** The fields without the numbers that were written to, which are ours where somebody else's stands beside them. */
export const withoutOurs = (fields: readonly FormField[]): readonly FormField[] =>
  fields.some((field) => stands(sentBy, field)) ? fields.filter((field) => !stands(sentTo, field)) : fields
