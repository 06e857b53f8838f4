import { isEmailAddress } from '../../../untrusted/inert-text.ts'

/** Two spellings of one address give the same key: trimmed, lower case, without `mailto:`. Null when it is no address. */
export const emailKey = (raw: string): string | null => {
  const address = raw
    .normalize('NFC')
    .trim()
    .replace(/^mailto:/i, '')
    .toLowerCase()
  return isEmailAddress(address) ? address : null
}

const fewestDigits = 6
// E.164 allows 15; a trunk zero may stand before them.
const mostDigits = 16

const extension = /(?:ext\.?|x|#)\s*\d+\s*$/i

/**
 * The digits alone, so that "+1 310-555-9811" and "13105559811" are one number. Gone are the extension, the "(0)" that is
 * only dialled inside a country and the leading 00. A number without its country is not completed: that would be a guess.
 */
export const phoneKey = (raw: string): string | null => {
  const number = raw
    .normalize('NFKC')
    .trim()
    .replace(/^(?:tel|whatsapp):/i, '')
    .replace(extension, '')
  if (/[\p{L}@]/u.test(number)) return null
  const isInternational = /^(?:\+|00)/.test(number)
  const dialled = isInternational ? number.replace('(0)', '').replace(/^00/, '') : number
  const digits = dialled.replace(/\D/g, '')
  return digits.length >= fewestDigits && digits.length <= mostDigits ? digits : null
}
