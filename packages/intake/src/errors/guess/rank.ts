import { memoize } from '../memoize.ts'
import type { ReportNode } from './walk.ts'

/** How well the name of a location fits. 0 is best; null means no match. */
export type Rank = (node: ReportNode) => number | null

/** The index of the first matching pattern is the rank. */
export const rankBy = (patterns: readonly RegExp[]): ((name: string) => number | null) =>
  memoize((name) => {
    const found = patterns.findIndex((pattern) => pattern.test(name))
    return found === -1 ? null : found
  })

/** Caches a result per report, because it is needed several times. */
export const oncePerReport = <Value>(tell: (nodes: readonly ReportNode[]) => Value): typeof tell => {
  let latest: { readonly nodes: readonly ReportNode[]; readonly value: Value } | undefined
  return (nodes) => {
    if (latest?.nodes !== nodes) latest = { nodes, value: tell(nodes) }
    return latest.value
  }
}

/** The value of the best location: the better name wins, then the one nearer to the top. */
export const bestValue = <Value>(
  nodes: readonly ReportNode[],
  rank: Rank,
  read: (node: ReportNode) => Value | null,
): Value | null => {
  let found: { readonly rank: number; readonly value: Value } | null = null
  for (const node of nodes) {
    const own = rank(node)
    if (own === null) continue
    const total = own * 10 + node.depth
    if (found !== null && found.rank <= total) continue
    const value = read(node)
    if (value !== null) found = { rank: total, value }
  }
  return found?.value ?? null
}

/** A URL is neither a class nor a message. */
export const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]{1,20}:\/\/\S*$/i.test(text)
