/// <reference path="./jmespath.d.ts" />
import { compile, search } from 'jmespath'

/**
 * Corrections by the owner of an integration. Each value is a JMESPath expression over one entry of a body
 * (https://jmespath.org/specification.html).
 */
export interface Mapping {
  /** Field of the record → expression. Text and numbers replace what the reader found; anything else leaves it alone. */
  readonly fields?: Readonly<Record<string, string>> | undefined
  /** True: the delivery is recorded as ignored and creates nothing. */
  readonly ignore_when?: string | null | undefined
  /** Errors only. True opens a ticket below the lowest level; false only counts. */
  readonly opens_when?: string | null | undefined
}

/** What a mapping changed in one field. */
export interface MappedField {
  readonly field: string
  readonly from: unknown
  readonly to: string | number
  readonly expression: string
}

const maxExpressionLength = 500
const maxNodes = 60
const maxListSearches = 3

/** Names of common node types that are refused. Types in neither list are refused, too. */
const refusedNodes: Readonly<Record<string, string>> = {
  ExpressionReference: 'an expression reference (&)',
  MultiSelectHash: 'an object',
  Slice: 'a slice',
  ValueProjection: 'an object wildcard (*)',
}
const allowedNodes = new Set(
  `AndExpression Comparator Current Field FilterProjection Flatten Function Identity Index IndexExpression Literal
   MultiSelectList NotExpression OrExpression Pipe Projection Subexpression`.split(/\s+/),
)
const listSearches = new Set(['FilterProjection', 'Projection'])
const functions = 'contains ends_with join length not_null starts_with to_number to_string type'.split(' ')

interface Node {
  readonly type: string
  readonly name?: string
  readonly children?: readonly (Node | number | null | undefined)[]
}

/** Returns the problem of an expression as a sentence, and how many lists it searches. */
function check(expression: string): { readonly problem?: string; readonly searches: number } {
  if (expression.length > maxExpressionLength)
    return { problem: `The expression is longer than ${maxExpressionLength} characters.`, searches: 0 }
  const tree = parse(expression)
  if (tree === undefined)
    return { problem: 'The expression is not valid JMESPath. An example is: data.error.message', searches: 0 }
  const nodes = nodesOf(tree)
  const searches = nodes.filter(({ type }) => listSearches.has(type)).length
  return { ...problemOf(nodes, searches), searches }
}

function problemOf(nodes: readonly Node[], searches: number): { readonly problem?: string } {
  if (nodes.length > maxNodes) return { problem: `The expression has more than ${maxNodes} parts.` }
  const refused = nodes.find(({ type }) => !allowedNodes.has(type))
  if (refused !== undefined)
    return { problem: `The expression has ${refusedNodes[refused.type] ?? 'an empty part'}, which is not supported.` }
  const unknown = nodes.find(({ type, name }) => type === 'Function' && !functions.includes(name ?? ''))
  if (unknown !== undefined)
    return { problem: `The function ${unknown.name} is not supported. Use one of: ${functions.join(', ')}.` }
  return searches > 1 ? { problem: 'The expression searches more than one list.' } : {}
}

function parse(expression: string): Node | undefined {
  try {
    return compile(expression) as Node // the package's types leave the tree open
  } catch {
    return undefined
  }
}

const missing: Node = { type: 'Missing' }

/** Every node of the tree. The parser accepts `a.` and omits the part after the dot. */
const nodesOf = (node: Node): Node[] =>
  node.type === 'Slice'
    ? [node]
    : [
        node,
        ...(node.children ?? []).flatMap((child) =>
          nodesOf(typeof child === 'object' && child !== null ? child : missing),
        ),
      ]

/** Returns why a mapping cannot be saved: a sentence for each invalid field, by its path. */
export function findMappingProblems(
  { fields = {}, ignore_when, opens_when }: Mapping,
  { known, opensTickets }: { readonly known: readonly string[]; readonly opensTickets: boolean },
): Record<string, string> {
  const problems: Record<string, string> = {}
  let searches = 0
  const checkAt = (path: string, expression: string) => {
    const found = check(expression)
    searches += found.searches
    if (found.problem !== undefined) problems[path] = found.problem
  }
  for (const [field, expression] of Object.entries(fields)) {
    if (known.includes(field)) checkAt(`mapping.fields.${field}`, expression)
    else problems[`mapping.fields.${field}`] = `There is no field ${field} to map. Use one of: ${known.join(', ')}.`
  }
  if (typeof ignore_when === 'string') checkAt('mapping.ignore_when', ignore_when)
  if (typeof opens_when === 'string') {
    checkAt('mapping.opens_when', opens_when)
    if (!opensTickets) problems['mapping.opens_when'] = 'The opens_when condition is for error reports only.'
  }
  if (searches > maxListSearches)
    problems['mapping'] = `The mapping searches ${searches} lists; it may search ${maxListSearches}.`
  return problems
}

/** Returns null if the expression fails, because a mapping must never break a delivery. */
function evaluate(expression: string, entry: unknown): unknown {
  try {
    return search(entry, expression)
  } catch {
    return null
  }
}

/** False, null, and empty values count as false, as in JMESPath. */
export function isMet(condition: string, entry: unknown): boolean {
  const found = evaluate(condition, entry)
  if (found === null || found === undefined || found === false || found === '') return false
  return typeof found !== 'object' || Object.keys(found).length > 0
}

/** The values that a mapping gives its fields for one entry. */
export function mapFields(mapping: Mapping | null | undefined, entry: unknown): Record<string, string | number> {
  const mapped: Record<string, string | number> = {}
  for (const [field, expression] of Object.entries(mapping?.fields ?? {})) {
    const value = evaluate(expression, entry)
    if ((typeof value === 'string' && value.trim() !== '') || typeof value === 'number') mapped[field] = value
  }
  return mapped
}
