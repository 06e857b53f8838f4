import { decodeJson, decodeText, parseJson, UnreadableBody } from '../../../untrusted/decode.ts'
import { type DeliveryHeaders, headerOf } from '../../../untrusted/headers.ts'

/** `fields[name][value]` → `fields`, `name`, `value`. */
const stepsOf = (key: string) => key.split(/[[\].]+/).filter((step) => step !== '')

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

const toValue = (there: Branch | string[]): unknown => {
  if (there instanceof Map) return toRecord(there)
  return there.length === 1 ? there[0] : there
}

// `fromEntries` defines own properties, so a field named `__proto__` is a field and nothing more.
const toRecord = (tree: Branch): Record<string, unknown> =>
  Object.fromEntries([...tree].map(([key, there]) => [key, toValue(there)]))

const mostPairs = 1_000

/** A form becomes the object that the same form would have sent as JSON. Some builders put all of it into one field. */
const parseForm = (text: string): unknown => {
  const form = new URLSearchParams(text)
  const wrapped = form.get('rawRequest') ?? form.get('payload')
  if (wrapped?.trimStart().startsWith('{')) return parseJson(wrapped)
  const tree: Branch = new Map()
  for (const [key, value] of [...form].slice(0, mostPairs)) plant(tree, stepsOf(key).slice(0, 8), value)
  return toRecord(tree)
}

const looksLikeJson = (body: Uint8Array) => /^[\uFEFF\s]*[[{"]/.test(decodeText(body.subarray(0, 64)))

/** Believes the bytes more than the header: many form plug-ins send JSON as text, or forms without saying so. */
export const decodeLeadBody = (headers: DeliveryHeaders, body: Uint8Array): unknown => {
  if (looksLikeJson(body)) return decodeJson(body)
  const text = decodeText(body)
  const isForm = /urlencoded/i.test(headerOf(headers, 'Content-Type') ?? '') || /^[^\s={}<]+=/.test(text)
  if (!isForm) throw new UnreadableBody('The body must be a JSON object or a URL-encoded form.')
  return parseForm(text)
}
