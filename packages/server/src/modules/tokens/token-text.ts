import { crc32 } from 'node:zlib'

// `service_<workspace>_` + 43 characters of base 62 from 32 random bytes + 6 characters of CRC-32. The prefix lets secret
// scanners find a leaked token, the workspace lets a distributed database find its shard, and the checksum rejects
// malformed tokens without a database query. Older tokens have no workspace.

const tokenPrefix = 'service_'
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 43
const checksumLength = 6
export const tokenRandomBytes = 32

export function toTokenText(workspaceId: number, random: Uint8Array): string {
  const body = `${workspaceId}_${base62(BigInt(`0x${Buffer.from(random).toString('hex')}`), randomLength)}`
  return `${tokenPrefix}${body}${checksumOf(body)}`
}

const pinned = /^service_test_[\w-]{1,64}$/

/** Whether a seed may use this text as a token. No generated token can look like it. */
export const isPinnedToken = (text: string): boolean => pinned.test(text)

const generated = /^service_((?:([1-9]\d{0,15})_)?[\dA-Za-z]{43})([\dA-Za-z]{6})$/

/** The parts of a token's text. */
export interface TokenText {
  /** Undefined for pinned and older tokens. */
  readonly workspaceId: number | undefined
}

/** Undefined if the text does not have the form and checksum of a token. The token may not exist. */
export function parseToken(text: string): TokenText | undefined {
  if (isPinnedToken(text)) return { workspaceId: undefined }
  const [, body = '', workspace, checksum] = generated.exec(text) ?? []
  if (checksum === undefined || checksum !== checksumOf(body)) return undefined
  return { workspaceId: workspace === undefined ? undefined : Number(workspace) }
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
