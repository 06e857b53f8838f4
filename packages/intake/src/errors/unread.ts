import { isRecord, type JsonRecord } from '../sanitize/json-path.ts'
import { tidy } from '../sanitize/sanitize-text.ts'
import { keysOf, toText } from './json.ts'
import { masked, maskText } from './mask-text.ts'

/** Describes a body that no reader understood, well enough to group it and to name its ticket. */
export type Unread = {
  /** A hash of its field names, which bodies of one sender share. */
  readonly shape: string
  /** The first meaningful line. */
  readonly line: string | null
}

const maxDepth = 4
const maxNodes = 200
const maxKeyLength = 100
const maxLineLength = 200
const maxTextLength = 2_000

type Node = { readonly path: string; readonly key: string; readonly value: unknown; readonly depth: number }

/** Only the first entry of a list counts. */
const addChildren = (nodes: Node[], { path, value, depth }: Node): void => {
  if (!isRecord(value)) return
  for (const name of keysOf(value).slice(0, maxNodes)) {
    const key = name.length > maxKeyLength ? name.slice(0, maxKeyLength) : name
    const child = value[name]
    nodes.push({ path: `${path}.${key}`, key, value: Array.isArray(child) ? child[0] : child, depth: depth + 1 })
  }
}

/** The fields of the body, the top level first. */
const leavesOf = (report: JsonRecord): Node[] => {
  const nodes: Node[] = [{ path: '', key: '', value: report, depth: 0 }]
  // Breadth-first: the list grows during the walk.
  for (const node of nodes) {
    if (nodes.length >= maxNodes) break
    if (node.depth < maxDepth) addChildren(nodes, node)
  }
  return nodes.filter(({ value }) => !isRecord(value))
}

const usefulKey = /title|summary|subject|message|text|name|description|reason|status|state|event|type|action/i
/** A sentence has spaces between words; an id, a URL, or a time has none, or no words. */
const sentence = /(?<=\p{L}{2})\s{1,3}\p{L}/u
const someWord = /\p{L}{3}/u
const isUrl = (text: string) => /^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(text)

const firstLine = (value: unknown): string | null => {
  if (typeof value !== 'string') return null
  const text = value.slice(0, maxTextLength)
  const line = text.includes('\n') ? text.split('\n').find((candidate) => candidate.trim() !== '') : text
  return tidy(toText(line), maxLineLength)
}

/** `payment_failed` as an event type is more specific than other text. */
const kindKey = /^(?:event|type|action|topic|trigger)(?:[_-]?(?:type|name|kind))?$/i
const failureWord =
  /^\p{L}[\p{L}_.:-]{0,60}(?:fail|error|declin|reject|denied|expired|dispute|bounce|timeout|exception)/iu

type Line = { readonly key: string; readonly text: string }

/** Ordered by usefulness; the first match wins. */
const tests: readonly ((line: Line) => boolean)[] = [
  ({ key, text }) => kindKey.test(key) && failureWord.test(text),
  ({ key, text }) => usefulKey.test(key) && sentence.test(text),
  ({ text }) => sentence.test(text),
  ({ text }) => someWord.test(text),
  () => true,
]

const firstUsefulLine = (leaves: readonly Node[]): string | null => {
  const lines = leaves.flatMap(({ key, value }): Line[] => {
    const text = firstLine(value)
    return text === null || text === masked || isUrl(text) ? [] : [{ key, text }]
  })
  const found = tests.map((test) => lines.find(test)).find((line) => line !== undefined)
  return found === undefined ? null : maskText(found.text)
}

/** Two 32-bit hashes of a text (FNV-1a with different seeds), which is enough to distinguish names. */
const fnv1a = (text: string, start: number): number => {
  let hash = start
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash
}

const hex = (number: number): string => (number >>> 0).toString(16).padStart(8, '0')

/** An order-independent hash of all names. Fast, because a thousand different bodies may arrive at once. */
const shapeOf = (paths: readonly string[]): string => {
  let [first, second] = [0, 0]
  for (const path of paths) {
    first = (first + fnv1a(path, 0x811c9dc5)) | 0
    second = (second + fnv1a(path, 0x2f0b4c47)) | 0
  }
  return hex(first) + hex(second)
}

/** Null if the body is empty. */
export const readUnread = (report: JsonRecord): Unread | null => {
  const leaves = leavesOf(report)
  if (leaves.length === 0) return null
  return { shape: shapeOf(leaves.map(({ path }) => path)), line: firstUsefulLine(leaves) }
}
