import { decodeForeignText } from '../../sanitize/decode.ts'
import type { JsonRecord } from '../../sanitize/json-path.ts'

export type FormPair = readonly [name: string, value: string]

const maxNameLength = 512
const maxNameDepth = 8
const maxPairs = 1_000

/** `fields[name][value]` → `fields`, `name`, `value`. */
const toSteps = (name: string) =>
  name
    .slice(0, maxNameLength)
    .split(/[[\].]+/)
    .filter((step) => step !== '')
    .slice(0, maxNameDepth)

type Branch = Map<string, Branch | string[]>

const plant = (tree: Branch, [step = '', ...deeper]: readonly string[], value: string): void => {
  const there = tree.get(step)
  if (deeper.length > 0) {
    const branch = there instanceof Map ? there : new Map()
    tree.set(step, branch)
    plant(branch, deeper, value)
  } else if (Array.isArray(there)) there.push(value)
  else if (there === undefined) tree.set(step, [value])
}

/** `contacts[0][name]` is a list of objects; fields that have only a number keep it as their key. */
const isList = (tree: Branch) =>
  tree.size > 0 && [...tree].every(([key, there], index) => key === String(index) && there instanceof Map)

const toValue = (there: Branch | string[]): unknown => {
  if (there instanceof Map) return isList(there) ? [...there.values()].map(toValue) : toRecord(there)
  return there.length === 1 ? there[0] : there
}

// `fromEntries` defines own properties, so a field named `__proto__` is a field and nothing more.
const toRecord = (tree: Branch): JsonRecord =>
  Object.fromEntries([...tree].map(([key, there]) => [key, toValue(there)]))

const [percent, plus, space] = [0x25, 0x2b, 0x20]

const hexDigit = (byte = 0): number => {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN
}

/** The bytes of a part of a form may be in any encoding, so they are decoded before their text. */
const decoded = (part: Uint8Array, contentType: string | null): string => {
  const bytes = new Uint8Array(part.length)
  let length = 0
  for (let index = 0; index < part.length; index += 1) {
    const byte = part[index] ?? 0
    const plain = byte === plus ? space : byte
    const escaped = byte === percent ? hexDigit(part[index + 1]) * 16 + hexDigit(part[index + 2]) : Number.NaN
    if (!Number.isNaN(escaped)) index += 2
    bytes[length] = Number.isNaN(escaped) ? plain : escaped
    length += 1
  }
  return decodeForeignText(bytes.subarray(0, length), contentType)
}

/** The pairs of a URL-encoded form, as many as are read. */
export const parsePairs = (form: Uint8Array | string, contentType: string | null = null): readonly FormPair[] => {
  const text = Buffer.from(form).toString('latin1').replace(/^\?/, '')
  const decode = (part: string) => decoded(Buffer.from(part, 'latin1'), contentType)
  return text.split('&', maxPairs).flatMap((pair): readonly FormPair[] => {
    const sign = pair.includes('=') ? pair.indexOf('=') : pair.length
    return pair === '' ? [] : [[decode(pair.slice(0, sign)), decode(pair.slice(sign + 1))]]
  })
}

/** The object that the same form would have sent as JSON. */
export const toFormRecord = (pairs: Iterable<FormPair>): JsonRecord => {
  const tree: Branch = new Map()
  let count = 0
  for (const [name, value] of pairs) {
    if (count >= maxPairs) break
    count += 1
    plant(tree, toSteps(name), value)
  }
  return toRecord(tree)
}
