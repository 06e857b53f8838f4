/// <reference path="../jmespath.d.ts" />
import { compile } from 'jmespath'

/** A node of the tree that the `jmespath` package builds. */
export interface Node {
  readonly type: string
  /** The name of a field or a function, or the operator of a comparison. */
  readonly name?: string
  /** The value of a literal or an index. */
  readonly value?: unknown
  readonly children: readonly Node[]
}

type RawNode = Partial<Omit<Node, 'children'>> & { readonly children?: readonly unknown[] }

/** The parser accepts `a.` and omits the part after the dot, and the parts of a slice are numbers. */
const toNode = (raw: unknown): Node => {
  if (typeof raw !== 'object' || raw === null) return { type: 'Missing', children: [] }
  const { type = 'Missing', children = [], ...node } = raw as RawNode // the package's types leave the tree open
  return { ...node, type, children: children.map(toNode) }
}

const parse = (expression: string): Node | null => {
  try {
    return toNode(compile(expression))
  } catch {
    return null
  }
}

/** Cached, because the same few expressions are evaluated for each entry of each body. */
const cache = new Map<string, Node | null>()
const maxCacheEntries = 1_000

/** The tree of a JMESPath expression, or null if it has a syntax error. */
export const parseExpression = (expression: string): Node | null => {
  const known = cache.get(expression)
  if (known !== undefined) return known
  const tree = parse(expression)
  if (cache.size >= maxCacheEntries) cache.clear()
  cache.set(expression, tree)
  return tree
}
