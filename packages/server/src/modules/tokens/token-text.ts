import { crc32 } from 'node:zlib'

// `service_` + 43 characters of base 62 from 32 random bytes + 6 characters of CRC-32. The prefix lets secret scanners
// find a leaked token, the checksum lets them (and us) tell a token from noise without asking the database.

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

/** Whether a text may be pinned as a token, in a seed. Nobody else can make one like it. */
export const isPinnedToken = (text: string): boolean => pinned.test(text)

/** Whether a text has a token's form and a right checksum. Says nothing about whether the token exists. */
export function hasTokenForm(text: string): boolean {
  if (isPinnedToken(text)) return true
  if (!text.startsWith(tokenPrefix) || text.length !== tokenPrefix.length + randomLength + checksumLength) return false
  const body = text.slice(tokenPrefix.length, -checksumLength)
  return text.endsWith(checksumOf(body))
}

function checksumOf(body: string): string {
  // Asked for at every request, so in plain numbers: 32 bits fit, and BigInt takes several times as long.
  let text = ''
  for (let rest = crc32(body); rest > 0; rest = Math.floor(rest / 62)) text = digits.charAt(rest % 62) + text
  return text.padStart(checksumLength, '0')
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text
  return text.padStart(length, '0')
}
