import * as z from 'zod/mini'

export const maxAddressLength = 254
const longestLocalPart = 64
const longestLabel = 63

// Both halves may contain non-ASCII letters: RFC 6531 allows them in the local part, IDNA in the domain.
const atoms = /^[^\0-\x20"(),.:;<>@[\\\]\x7f\s\p{Cc}\p{Cs}]+(?:\.[^\0-\x20"(),.:;<>@[\\\]\x7f\s\p{Cc}\p{Cs}]+)*$/u
const quoted = /^"(?:[^"\\\p{Cc}\p{Cs}]|\\[ -~])*"$/u
const notInLabel = /[\0-,./:-@[-`{-\x7f\s\p{Cc}\p{Cs}]/u
const literal = /^\[[!-Z^-~]+\]$/

/**
 * Whether RFC 5321 allows the address, with the letters that RFC 6531 and IDN add. The domain needs a dot, because
 * §2.3.5 requires a fully qualified name. An address in brackets is allowed instead.
 */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1 || at > longestLocalPart || text.length > maxAddressLength) return false
  const local = text.slice(0, at)
  return (atoms.test(local) || quoted.test(local)) && isDomain(text.slice(at + 1))
}

function isDomain(text: string): boolean {
  const labels = text.split('.')
  return literal.test(text) || (labels.length > 1 && labels.every(isLabel))
}

const isLabel = (text: string): boolean =>
  text.length > 0 &&
  text.length <= longestLabel &&
  !text.startsWith('-') &&
  !text.endsWith('-') &&
  !notInLabel.test(text)

/** The check for a schema. It is separate from the schemas of bodies, which are also in the client's bundle. */
export const emailForm = z.check<string>(({ value, issues }) => {
  if (!isEmailAddress(value)) issues.push({ code: 'invalid_format', format: 'email', input: value })
})
