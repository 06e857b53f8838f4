import type { JsonRecord } from '../../sanitize/json-path.ts'

export type FormPair = readonly [name: string, value: string]

const maxNameLength = 512
const maxNameDepth = 8
const maxPairs = 1_000

/** `fields[name][value]` → `fields`, `name`, `value`. */
const stepsOf = (name: string) =>
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

/** The pairs of a URL-encoded form, as many as are read. The rest is not decoded. */
export const pairsOf = (text: string): Iterable<FormPair> => {
  let end = -1
  for (let count = 0; count < maxPairs; count += 1) {
    end = text.indexOf('&', end + 1)
    if (end === -1) break
  }
  return new URLSearchParams(end === -1 ? text : text.slice(0, end))
}

/** The object that the same form would have sent as JSON. */
export const recordOf = (pairs: Iterable<FormPair>): JsonRecord => {
  const tree: Branch = new Map()
  let count = 0
  for (const [name, value] of pairs) {
    if (count >= maxPairs) break
    count += 1
    plant(tree, stepsOf(name), value)
  }
  return toRecord(tree)
}
