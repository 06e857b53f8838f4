import { type Budget, maxResultBytes, maxSteps, NoResult } from './expressions/budget.ts'
import { decideCondition } from './expressions/decide.ts'
import { evaluate } from './expressions/evaluate-expression.ts'
import { type Node, parseExpression } from './expressions/parse-expression.ts'

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

/** A mapping for the entries of one body. Its expressions share the steps that a body may take. */
export interface Mapper {
  readonly ignores: (entry: unknown) => boolean
  /** Whether the mapping wants a ticket; null if it does not decide. */
  readonly opens: (entry: unknown) => boolean | null
  /** The values of the fields that its expressions find. */
  readonly fieldsOf: (entry: unknown) => Record<string, string | number>
  /** The expression of a field. */
  readonly expressionOf: (field: string) => string
}

/** An expression that fails or exceeds its limits has no result, because a mapping must never break a delivery. */
export function startMapping(mapping: Mapping | null | undefined, budget: Budget = { steps: maxSteps }): Mapper {
  const { fields = {}, ignore_when, opens_when } = mapping ?? {}
  const toCondition = (condition: string | null | undefined) => (entry: unknown) =>
    condition ? findResult(condition, (node) => decideCondition(node, entry, budget)) : null
  const ignores = toCondition(ignore_when)
  return {
    ignores: (entry) => ignores(entry) === true,
    opens: toCondition(opens_when),
    fieldsOf(entry) {
      const mapped: Record<string, string | number> = {}
      for (const [field, expression] of Object.entries(fields)) {
        const value = findResult(expression, (node) => evaluate(node, entry, budget))
        if (isFieldValue(value)) mapped[field] = value
      }
      return mapped
    },
    expressionOf: (field) => fields[field] ?? '',
  }
}

function findResult<Result>(expression: string, find: (node: Node) => Result): Result | null {
  const node = parseExpression(expression)
  try {
    return node === null ? null : find(node)
  } catch (error) {
    if (error instanceof NoResult) return null
    throw error
  }
}

const isFieldValue = (value: unknown): value is string | number =>
  typeof value === 'number' ||
  (typeof value === 'string' && value.trim() !== '' && Buffer.byteLength(value) <= maxResultBytes)
