import { crc32 } from 'node:zlib'

// `service_` + 43 characters of base 62 from 32 random bytes + 6 characters of CRC-32. The prefix lets secret scanners
// find a leaked token; the checksum rejects malformed tokens without a database query.

const tokenPrefix = 'service_'
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 43
const checksumLength = 6
export const tokenRandomBytes = 32

export function toTokenText(random: Uint8Array): string {
  const body = base62(BigInt(`0x${Buffer.from(random).toString('hex')}`), randomLength)
  return `${tokenPrefix}${body}${checksumOf(body)}`
}

const pinned = /^service_test_[\w-]{1,64}$/

/** Whether a seed may use this text as a token. No generated token can look like it. */
export const isPinnedToken = (text: string): boolean => pinned.test(text)

/** Whether a text has the form and checksum of a token. The token may not exist. */
export function hasTokenForm(text: string): boolean {
  if (isPinnedToken(text)) return true
  if (!text.startsWith(tokenPrefix) || text.length !== tokenPrefix.length + randomLength + checksumLength) return false
  const body = text.slice(tokenPrefix.length, -checksumLength)
  return text.endsWith(checksumOf(body))
}

function checksumOf(body: string): string {
  // This runs for every request. 32 bits fit into numbers, and BigInt is several times slower.
  let text = ''
  for (let rest = crc32(body); rest > 0; rest = Math.floor(rest / 62)) text = digits.charAt(rest % 62) + text
  return text.padStart(checksumLength, '0')
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text
  return text.padStart(length, '0')
}
