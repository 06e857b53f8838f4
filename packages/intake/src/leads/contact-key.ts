import { isEmailAddress } from '@service/contract'

/** No address or number is longer in any notation; longer text is in the wrong field. */
const maxContactLength = 512

/** Normalizes an email address: trimmed, lower case, without `mailto:`. Null if it is not an address. */
export const emailKey = (raw: string): string | null => {
  if (raw.length > maxContactLength) return null
  const address = raw
    .normalize('NFC')
    .trim()
    .replace(/^mailto:/i, '')
    .toLowerCase()
  return isEmailAddress(address) && !isChatAddress(address) ? address : null
}

const minDigits = 6
// E.164 allows 15, and a trunk zero may precede them.
const maxDigits = 16

// Digits of other scripts: Arabic, Persian and Urdu, Devanagari, Bengali, Thai. NFKC leaves them as they are.
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50]

const asciiDigit = (digit: string) => {
  const code = digit.charCodeAt(0)
  const zero = zeros.find((first) => code >= first && code < first + 10)
  return zero === undefined ? digit : String(code - zero)
}

// Meta's exports write `p:+49…`, a link `tel:`, Twilio `whatsapp:`.
const scheme = /^(?:tel|whatsapp|p):/i

// WhatsApp's own address of a number, `4915112345678@c.us`, where one of several devices may follow the number.
const numberOfChat = /^(\d{6,16})(?::\d{1,4})?@(?:c\.us|s\.whatsapp\.net)$/
const chatAddress = /@(?:c\.us|s\.whatsapp\.net|g\.us|lid|newsletter|broadcast)$/

/** A chat address looks like an email address but is not one. */
export const isChatAddress = (text: string): boolean => chatAddress.test(text.trim())

/** The number as it is stored: as written, without a prefix such as `tel:`. */
export const writtenPhone = (raw: string): string => raw.trim().replace(scheme, '').replace(numberOfChat, '$1')

const extension = /(?:ext\.?|x|#)\s*\d+\s*$/i

/**
 * The digits alone, so that "+1 310-555-9811" and "13105559811" are one number. Drops the extension, the domestic "(0)",
 * and the leading 00. Adds no missing country code, because that would be a guess.
 */
export const phoneKey = (raw: string): string | null => {
  if (raw.length > maxContactLength) return null
  const number = raw
    .normalize('NFKC')
    .trim()
    .replace(scheme, '')
    .replace(numberOfChat, '$1')
    .replace(/\p{Nd}/gu, asciiDigit)
    .replace(extension, '')
  if (/[\p{L}@]/u.test(number)) return null
  const isInternational = /^(?:\+|00)/.test(number)
  const dialled = isInternational ? number.replace('(0)', '').replace(/^00/, '') : number
  const digits = dialled.replace(/\D/g, '')
  return digits.length >= minDigits && digits.length <= maxDigits ? digits : null
}

/** A number in a phone notation: with a plus, in groups, or as a chat address. A bare `20260102` may be a date. */
export const looksLikePhone = (text: string) =>
  numberOfChat.test(text.trim()) || /^(?:\+|00|\()\s?\d[\d\s().-]{5,20}$/.test(text.trim())
