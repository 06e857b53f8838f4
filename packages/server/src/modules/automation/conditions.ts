import type { Condition, ConditionField } from '@service/contract/admin/automation-input'
import { includesLinear } from './includes-linear.ts'

/** The values that conditions compare: the ticket's fields and details of the trigger. */
export type ConditionInput = Readonly<Partial<Record<ConditionField, string | number | null | readonly string[]>>>

/** The steps that remain. Each compared character is one. */
export interface StepBudget {
  steps: number
}

type Conditions = Readonly<{ match: 'all' | 'any'; conditions: readonly Condition[] }>

class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent'
}

/** Compares texts without case, and numbers by their text form. Texts are lower-cased once, and equal searches share their result. */
function createComparison(budget: StepBudget) {
  const lowered = new Map<string, string>()
  const searches = new Map<string, Map<string, boolean>>()

  const spend = (steps: number) => {
    budget.steps -= steps
    if (budget.steps < 0) throw new BudgetSpent()
  }

  const lower = (value: string | number): string => {
    const text = String(value)
    const known = lowered.get(text)
    if (known !== undefined) return known
    spend(text.length)
    const lowerText = text.toLowerCase()
    lowered.set(text, lowerText)
    return lowerText
  }

  const contains = (value: string | number, wanted: string | number): boolean => {
    const [text, part] = [lower(value), lower(wanted)]
    const found = searches.get(text) ?? new Map<string, boolean>()
    searches.set(text, found)
    const known = found.get(part)
    if (known !== undefined) return known
    spend(text.length + part.length)
    const result = includesLinear(text, part)
    found.set(part, result)
    return result
  }

  return {
    contains,
    isSame: (a: string | number, b: string | number) => lower(a) === lower(b),
    startsWith: (value: string | number, wanted: string | number) => lower(value).startsWith(lower(wanted)),
  }
}

/**
 * Compares the conditions of rules with the facts of one ticket. The result is undefined once the budget is spent:
 * steps are counted instead of the time, so that equal changes have equal results.
 */
export function startComparing(budget: StepBudget) {
  const comparison = createComparison(budget)
  /** Whether a rule's conditions match. A rule without conditions always matches. */
  return (facts: ConditionInput, { match, conditions }: Conditions): boolean | undefined => {
    if (budget.steps < 0) return undefined
    const isMatch = (condition: Condition) => matchesCondition(comparison, facts[condition.field] ?? null, condition)
    try {
      return match === 'any' && conditions.length > 0 ? conditions.some(isMatch) : conditions.every(isMatch)
    } catch (fault) {
      if (fault instanceof BudgetSpent) return undefined
      throw fault
    }
  }
}

function matchesCondition(
  { contains, isSame, startsWith }: ReturnType<typeof createComparison>,
  fact: Fact,
  condition: Condition,
): boolean {
  switch (condition.operator) {
    case 'is_set':
      return values(fact).length > 0
    case 'is_not_set':
      return values(fact).length === 0
    case 'equals':
      return values(fact).some((value) => isSame(value, condition.value))
    case 'not_equals':
      return !values(fact).some((value) => isSame(value, condition.value))
    case 'contains':
      return values(fact).some((value) => contains(value, condition.value))
    case 'not_contains':
      return !values(fact).some((value) => contains(value, condition.value))
    case 'starts_with':
      return values(fact).some((value) => startsWith(value, condition.value))
    case 'in':
      return condition.value.some((wanted) => values(fact).some((value) => isSame(value, wanted)))
    case 'not_in':
      return !condition.value.some((wanted) => values(fact).some((value) => isSame(value, wanted)))
    case 'greater_than':
      return typeof fact === 'number' && fact > condition.value
    case 'less_than':
      return typeof fact === 'number' && fact < condition.value
  }
}

type Fact = string | number | null | readonly string[]

/** A list matches if any entry matches; null and the empty string count as unset. */
function values(fact: Fact): readonly (string | number)[] {
  if (fact === null || fact === '') return []
  return typeof fact === 'object' ? fact : [fact]
}
