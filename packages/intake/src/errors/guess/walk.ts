import { toPair } from '../../paths/paths.ts'
import { findExceededLimit } from '../../sanitize/json-excess.ts'
import { isRecord, type JsonRecord } from '../../sanitize/json-path.ts'
import { keysOf } from '../json.ts'
import { maskSecrets } from '../mask.ts'
import { masked } from '../mask-text.ts'
import { nameTest } from '../memoize.ts'
import { plainName, startNaming } from './names.ts'

/** A value somewhere in a report, with the names that lead to it. */
export type ReportNode = {
  /** Its normalized key. An entry of a list has the key of the list. */
  readonly key: string
  /** The key of the object or list that holds it; empty at the top. */
  readonly owner: string
  readonly depth: number
  readonly isListed: boolean
  readonly value: unknown
  readonly parent: JsonRecord
}

const maxDepth = 8
const maxNodes = 300
const maxKeys = 120
const maxEntries = 5
const maxKeyLength = 60
const maxJsonLength = 16_384
const maxTexts = 5

// A delivery may contain a thousand reports. Reading is synchronous, so one delivery at a time uses these budgets, and
// `startWalking` resets them for each body. Once they are spent, only the top level of a report is read.
const maxNodesTogether = 15_000
const maxJsonTogether = 131_072

let nodesLeft = maxNodesTogether
let jsonLeft = maxJsonTogether

export const startWalking = (): void => {
  latest = undefined
  startNaming()
  nodesLeft = maxNodesTogether
  jsonLeft = maxJsonTogether
}

/** Histories, people, and machines: their content does not describe the error. */
const isForeign = nameTest(
  /^(?:breadcrumbs|user|users|device|os|browser|headers|cookies|author|committer|commits?|headcommit|repository|repo|sender|links|sdk|contexts?os|geo|session|query|querystring|env|environ|environmentvariables|modules|packages|dependencies|threads|assignee|assignees|owner|requester|creator|createdby|responders|members|avatar|image|images|actions|buttons|schema|config|webhook)$/,
)

/** `{name: 'severity', value: 'high'}` means `severity: 'high'`. */
const pairIn = (entry: unknown): readonly [string, unknown] | null => {
  const pair = isRecord(entry) ? toPair(entry) : null
  return pair === null || pair[0].length > maxKeyLength || pair[1] === undefined ? null : pair
}

type Reading = { readonly nodes: ReportNode[]; texts: number }

/** Parses JSON that was sent as text, if it is small. */
const unpacked = (value: unknown, reading: Reading): unknown => {
  if (typeof value !== 'string' || value.length > maxJsonLength || !/^\s{0,9}[[{]["{\s]/.test(value)) return value
  if (reading.texts >= maxTexts || value.length > jsonLeft) return value
  jsonLeft -= value.length
  if (findExceededLimit(value, { depth: 20, values: 500 }) !== null) return value
  reading.texts += 1
  try {
    return maskSecrets(JSON.parse(value))
  } catch {
    // Text that only starts like JSON stays text.
    return value
  }
}

type Child = readonly [key: string, value: unknown, isListed: boolean]

const childrenOf = (node: ReportNode): readonly Child[] => {
  const { value } = node
  if (Array.isArray(value)) {
    const entries: readonly unknown[] = value.slice(0, maxEntries)
    const pairs = value.slice(0, maxKeys).map(pairIn)
    const isPaired = pairs.length > 0 && pairs.every((pair) => pair !== null)
    if (isPaired) return pairs.flatMap((pair) => (pair === null ? [] : [[plainName(pair[0]), pair[1], false] as const]))
    return entries.map((entry) => [node.key, entry, true])
  }
  if (!isRecord(value)) return []
  return keysOf(value)
    .slice(0, maxKeys)
    .filter((key) => key.length <= maxKeyLength)
    .map((key) => [plainName(key), value[key], false])
}

const isWithin = (nodes: readonly ReportNode[]): boolean => nodes.length < maxNodes && nodesLeft > 0

const walk = (report: JsonRecord): readonly ReportNode[] => {
  const reading: Reading = {
    nodes: [{ key: '', owner: '', depth: 0, isListed: false, value: report, parent: report }],
    texts: 0,
  }
  const { nodes } = reading
  // Breadth-first: the list grows during the walk.
  for (const node of nodes) {
    if (node.depth >= maxDepth || isForeign(node.key)) continue
    for (const child of childrenOf(node)) {
      if (!isWithin(nodes)) return nodes
      if (child[1] === masked) continue
      nodesLeft -= 1
      nodes.push(toNode(child, node, reading))
    }
  }
  return nodes
}

const toNode = ([key, child, isListed]: Child, parent: ReportNode, reading: Reading): ReportNode => ({
  key,
  owner: isListed ? parent.owner : parent.key,
  depth: parent.depth + 1,
  isListed: isListed || parent.isListed,
  value: unpacked(child, reading),
  parent: isRecord(parent.value) ? parent.value : parent.parent,
})

/** The last walked report, cached because it is first checked for an alert and then read. */
let latest: { readonly report: JsonRecord; readonly nodes: readonly ReportNode[] } | undefined

/** Every value of a report with its location, the top level first. Large values are visited in part. */
export const walkReport = (report: JsonRecord): readonly ReportNode[] => {
  if (latest?.report !== report) latest = { report, nodes: walk(report) }
  return latest.nodes
}
