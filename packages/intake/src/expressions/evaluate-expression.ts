import { isRecord } from '../sanitize/json-path.ts'
import { type Budget, NoResult, spend, startList, weigh } from './budget.ts'
import { functions, hasArity } from './functions.ts'
import type { Node } from './parse-expression.ts'
import { isList, isSame, isTruthy } from './values.ts'

// The package evaluates expressions, too, but without limits: a list of four copies of a list of four copies … ends the
// process. This interpreter has its results (a test compares them), counts its steps, and limits what it builds.

type Evaluator = (node: Node, value: unknown, budget: Budget) => unknown

/** The value of an expression for a part of a body. Throws `NoResult`. */
export const evaluate: Evaluator = (node, value, budget) => {
  spend(budget, 1)
  const evaluator = Object.hasOwn(evaluators, node.type) ? evaluators[node.type] : undefined
  if (evaluator === undefined) throw new NoResult()
  return evaluator(node, value, budget)
}

const missing: Node = { type: 'Missing', children: [] }

export const childOf = ({ children }: Node, index: number): Node => children[index] ?? missing

const evaluateChild = (node: Node, index: number, [value, budget]: [value: unknown, budget: Budget]) =>
  evaluate(childOf(node, index), value, budget)

/** Evaluates the second part on the result of the first. */
const chain: Evaluator = (node, value, budget) =>
  evaluateChild(node, 1, [evaluateChild(node, 0, [value, budget]), budget])

const itself: Evaluator = (_, value) => value

const flatten: Evaluator = (node, value, budget) => {
  const lists = evaluateChild(node, 0, [value, budget])
  if (!isList(lists)) return null
  const { list, add } = startList(budget)
  for (const entry of lists) {
    if (isList(entry)) entry.forEach(add)
    else add(entry)
  }
  return list
}

/** `list[*].part` and, with a condition as the third part, `list[?condition].part` */
const project: Evaluator = (node, value, budget) => {
  const entries = evaluateChild(node, 0, [value, budget])
  if (!isList(entries)) return null
  const { list, add } = startList(budget)
  for (const entry of entries) {
    if (node.children.length > 2 && !isTruthy(evaluateChild(node, 2, [entry, budget]), budget)) continue
    const part = evaluateChild(node, 1, [entry, budget])
    if (part !== null) add(part)
  }
  return list
}

const select: Evaluator = (node, value, budget) => {
  if (value === null) return null
  const { list, add } = startList(budget)
  for (const child of node.children) add(evaluate(child, value, budget))
  return list
}

/** The result of a function. */
export const call = (name: string, values: readonly unknown[], budget: Budget): unknown => {
  if (!Object.hasOwn(functions, name) || !hasArity(name, values.length)) throw new NoResult()
  return functions[name]?.call(values, budget)
}

const isOrdered = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

const orders: Readonly<Record<string, (first: string | number, second: string | number) => boolean>> = {
  GT: (first, second) => first > second,
  GTE: (first, second) => first >= second,
  LT: (first, second) => first < second,
  LTE: (first, second) => first <= second,
}

/** The result of a comparison. Only numbers and texts have an order. */
export const compare = (operator: string, [first, second]: readonly unknown[], budget: Budget): boolean | null => {
  if (operator === 'EQ') return isSame(first, second, budget)
  if (operator === 'NE') return !isSame(first, second, budget)
  if (!isOrdered(first) || !isOrdered(second)) return null
  weigh(String(first), budget)
  return orders[operator]?.(first, second) ?? null
}

const evaluators: Readonly<Record<string, Evaluator>> = {
  AndExpression(node, value, budget) {
    const first = evaluateChild(node, 0, [value, budget])
    return isTruthy(first, budget) ? evaluateChild(node, 1, [value, budget]) : first
  },
  Comparator: (node, value, budget) =>
    compare(
      node.name ?? '',
      [evaluateChild(node, 0, [value, budget]), evaluateChild(node, 1, [value, budget])],
      budget,
    ),
  Current: itself,
  Field({ name = '' }, value) {
    return isRecord(value) && Object.hasOwn(value, name) ? value[name] : null
  },
  FilterProjection: project,
  Flatten: flatten,
  Function: ({ name = '', children }, value, budget) =>
    call(
      name,
      children.map((child) => evaluate(child, value, budget)),
      budget,
    ),
  Identity: itself,
  Index({ value: index }, value) {
    return isList(value) ? (value.at(Number(index)) ?? null) : null
  },
  IndexExpression: chain,
  Literal: ({ value: literal }) => literal,
  MultiSelectList: select,
  NotExpression: (node, value, budget) => !isTruthy(evaluateChild(node, 0, [value, budget]), budget),
  OrExpression(node, value, budget) {
    const first = evaluateChild(node, 0, [value, budget])
    return isTruthy(first, budget) ? first : evaluateChild(node, 1, [value, budget])
  },
  Pipe: chain,
  Projection: project,
  Subexpression: chain,
}

/** The types of nodes that an expression may have. */
export const supportedNodes: ReadonlySet<string> = new Set(Object.keys(evaluators))
