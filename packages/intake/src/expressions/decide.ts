import { type Budget, NoResult, spend } from './budget.ts'
import { call, childOf, compare, evaluate } from './evaluate-expression.ts'
import type { Node } from './parse-expression.ts'
import { isList, isTruthy } from './values.ts'

// JMESPath reads a missing value as null, so `kind == 'page'` and `contains(['page'], kind)` are false for every other sender. In
// a condition, a comparison with a value that the entry does not have, and a function of one, are undecided instead, and so is
// the condition. Nor is a condition false if the entry has nothing that it mentions.

const undecided = Symbol('undecided')

type Decider = (node: Node, entry: unknown, budget: Budget) => unknown

/** A value or `undecided`. */
const decide: Decider = (node, entry, budget) => {
  spend(budget, 1)
  try {
    return (deciders[node.type] ?? evaluate)(node, entry, budget)
  } catch (error) {
    // A function that fails, such as `length` of a number, is undecided.
    if (error instanceof NoResult && budget.steps >= 0) return undecided
    throw error
  }
}

const isLiteral = ({ type, children }: Node): boolean =>
  type === 'Literal' || (type === 'MultiSelectList' && children.every(isLiteral))

const isNull = (node: Node) => node.type === 'Literal' && node.value === null

interface Parts {
  readonly values: readonly unknown[]
  /** How many of them the entry may lack, and how many it lacks. */
  readonly read: number
  readonly missing: number
}

const decideParts = (nodes: readonly Node[], entry: unknown, budget: Budget): Parts => {
  const values = nodes.map((node) => decide(node, entry, budget))
  const read = nodes.filter((node) => !isLiteral(node)).length
  const missing = nodes.filter(
    (node, index) => values[index] === undecided || (values[index] === null && !isNull(node)),
  )
  return { values, read, missing: missing.length }
}

const toNull = (value: unknown): unknown => (value === undecided ? null : value)

/** The value on which the rest of a path is evaluated. */
const decideChain: Decider = (node, entry, budget) => {
  const first = decide(childOf(node, 0), entry, budget)
  return first === undecided || first === null ? first : decide(childOf(node, 1), first, budget)
}

const deciders: Readonly<Record<string, Decider>> = {
  /** Applies only to an entry that has everything that it compares. */
  AndExpression(node, entry, budget) {
    const [first, second] = [decide(childOf(node, 0), entry, budget), decide(childOf(node, 1), entry, budget)]
    if (first === undecided || second === undecided) return undecided
    return isTruthy(first, budget) ? second : first
  },
  Comparator({ name = '', children }, entry, budget) {
    const { values, missing } = decideParts(children, entry, budget)
    if (values.includes(undecided) || (missing > 0 && !children.some(isNull))) return undecided
    return compare(name, values, budget)
  },
  /** Undecided if no entry of a list has what the condition compares. */
  FilterProjection(node, entry, budget) {
    const list = decide(childOf(node, 0), entry, budget)
    const isUndecided = (part: unknown) => decide(childOf(node, 2), part, budget) === undecided
    return isList(list) && list.length > 0 && list.every(isUndecided) ? undecided : evaluate(node, entry, budget)
  },
  Function({ name = '', children }, entry, budget) {
    const { values, read, missing } = decideParts(children, entry, budget)
    const mayLack = name === 'not_null' ? Math.max(read - 1, 0) : 0
    return missing > mayLack ? undecided : call(name, values.map(toNull), budget)
  },
  IndexExpression: decideChain,
  /** Has a value if one of its parts has. */
  MultiSelectList({ children }, entry, budget) {
    const { values, read, missing } = decideParts(children, entry, budget)
    return read > 0 && missing === read ? undecided : values.map(toNull)
  },
  NotExpression(node, entry, budget) {
    const found = decide(childOf(node, 0), entry, budget)
    return found === undecided ? undecided : !isTruthy(found, budget)
  },
  /** Applies to an entry that has one of the sides. */
  OrExpression(node, entry, budget) {
    const first = decide(childOf(node, 0), entry, budget)
    if (first !== undecided && isTruthy(first, budget)) return first
    const second = decide(childOf(node, 1), entry, budget)
    return second === undecided ? first : second
  },
  Pipe: decideChain,
  /** Undecided if no entry of a list has the part. */
  Projection(node, entry, budget) {
    const [list, found] = [decide(childOf(node, 0), entry, budget), evaluate(node, entry, budget)]
    return isList(list) && list.length > 0 && isList(found) && found.length === 0 ? undecided : found
  },
  Subexpression: decideChain,
}

const operators = new Set([
  'AndExpression',
  'Comparator',
  'Function',
  'MultiSelectList',
  'NotExpression',
  'OrExpression',
])

/** Whether an entry has something that a condition reads. */
const hasAny = (node: Node, entry: unknown, budget: Budget): boolean => {
  if (isLiteral(node)) return false
  if (operators.has(node.type)) return node.children.some((child) => hasAny(child, entry, budget))
  const found = decide(node, entry, budget)
  return found !== undecided && found !== null
}

/** Whether a condition is true or false for an entry; null if it decides nothing, or fails. */
export const decideCondition: (node: Node, entry: unknown, budget: Budget) => boolean | null = (
  node,
  entry,
  budget,
) => {
  const found = decide(node, entry, budget)
  if (found === undecided || found === null) return null
  if (isTruthy(found, budget)) return true
  return found === false && hasAny(node, entry, budget) ? false : null
}
