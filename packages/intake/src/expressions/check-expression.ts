import { supportedNodes } from './evaluate-expression.ts'
import { functions, hasArity } from './functions.ts'
import { type Node, parseExpression } from './parse-expression.ts'

// An expression is checked when it is saved: it must be short, must not multiply what is in a body, and must be able to
// match.

const maxExpressionLength = 500
const maxNodes = 60

/** Names of common node types that are refused. */
const refusedNodes: Readonly<Record<string, string>> = {
  ExpressionReference: 'an expression reference (&)',
  MultiSelectHash: 'an object',
  Slice: 'a slice',
  ValueProjection: 'an object wildcard (*)',
}
const listSearches = new Set(['FilterProjection', 'Projection'])

interface CheckedExpression {
  /** A sentence if the expression cannot be saved. */
  readonly problem?: string
  /** How many lists it searches. */
  readonly searches: number
}

export const checkExpression = (expression: string): CheckedExpression => {
  if (expression.length > maxExpressionLength)
    return { problem: `The expression is longer than ${maxExpressionLength} characters.`, searches: 0 }
  const tree = parseExpression(expression)
  if (tree === null) return { problem: invalid, searches: 0 }
  const nodes = nodesOf(tree)
  const searches = nodes.filter(({ type }) => listSearches.has(type)).length
  const problem = findProblem(nodes) ?? (searches > 1 ? 'The expression searches more than one list.' : undefined)
  return problem === undefined ? { searches } : { problem, searches }
}

const invalid =
  "The expression is not valid JMESPath (https://jmespath.org). Examples are: data.error.message, kind == 'page', code >= `500`"

/** Every node of the tree. The parts of a slice are not nodes. */
const nodesOf = (node: Node): Node[] => (node.type === 'Slice' ? [node] : [node, ...node.children.flatMap(nodesOf)])

const findProblem = (nodes: readonly Node[]): string | undefined => {
  if (nodes.length > maxNodes) return `The expression has more than ${maxNodes} parts.`
  for (const find of [unsupported, wrongCall, multiplying, neverMatching]) {
    const problem = nodes.map(find).find((sentence) => sentence !== undefined)
    if (problem !== undefined) return problem
  }
  return undefined
}

const unsupported = ({ type }: Node): string | undefined =>
  supportedNodes.has(type)
    ? undefined
    : `The expression has ${refusedNodes[type] ?? 'an empty part'}, which is not supported.`

const names = Object.keys(functions)

const wrongCall = ({ type, name = '', children }: Node): string | undefined => {
  if (type !== 'Function') return undefined
  if (!names.includes(name)) return `The function ${name} is not supported. Use one of: ${names.join(', ')}.`
  if (hasArity(name, children.length)) return undefined
  const { takes = 'at least 1' } = functions[name] ?? {}
  return `The function ${name} takes ${takes} ${takes === 2 ? 'arguments' : 'argument'}.`
}

const namesWithList = names.filter((name) => functions[name]?.takesList)

/** A list of expressions copies its parts, so a list of such lists grows with each level. */
const multiplying = ({ type, name = '', children }: Node, index: number): string | undefined => {
  const isAllowed = type === 'Function' && namesWithList.includes(name)
  const isList = (node: Node) => node.type === 'MultiSelectList'
  return (!isAllowed && children.some(isList)) || (index === 0 && type === 'MultiSelectList')
    ? `A list such as [a, b] is only supported as an argument of ${namesWithList.join(', ')}.`
    : undefined
}

const paths = new Set(['Field', 'Flatten', 'FilterProjection', 'IndexExpression', 'Projection', 'Subexpression'])
const conditions = new Set(['Comparator', 'NotExpression'])

const isScalar = ({ type, name }: Node): boolean => conditions.has(type) || (type === 'Function' && name !== 'not_null')

/** Whether a part reads a field or an entry of what is before it. */
const isPath = (node: Node | undefined): boolean => {
  if (node === undefined || !paths.has(node.type)) return false
  const [first] = node.children
  return first === undefined || first.type === 'Identity' || isPath(first)
}

/** Whether a node reads a field or an entry of its first child. */
const stepsInto = ({ type, children: [, second] }: Node): boolean =>
  type === 'Pipe' || type === 'Subexpression' ? isPath(second) : paths.has(type)

/** `!a.b` is the field `b` of `!a`, and a condition has no fields. */
const neverMatching = (node: Node): string | undefined => {
  const [first, second] = node.children
  if (first === undefined) return undefined
  const isText = second?.type === 'Literal' && typeof second.value !== 'boolean'
  if (first.type === 'NotExpression' && (stepsInto(node) || (node.type === 'Comparator' && isText)))
    return "The ! in !a.b and in !a == 'b' applies to a alone, so this never matches. Use parentheses: !(a.b)"
  return isScalar(first) && stepsInto(node)
    ? 'The expression looks for a part in the result of a condition or a function, which has none.'
    : undefined
}
