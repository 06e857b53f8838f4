import type { Condition, ConditionField } from '@service/contract/admin/automation-input'

/** The values that conditions compare: the ticket's fields and details of the trigger. */
export type ConditionInput = Readonly<Partial<Record<ConditionField, string | number | null | readonly string[]>>>

/** Whether a rule's conditions match. A rule without conditions always matches. */
export function matches(
  facts: ConditionInput,
  { match, conditions }: { match: 'all' | 'any'; conditions: readonly Condition[] },
): boolean {
  if (conditions.length === 0) return true
  return match === 'all'
    ? conditions.every((condition) => matchesCondition(facts, condition))
    : conditions.some((condition) => matchesCondition(facts, condition))
}

function matchesCondition(facts: ConditionInput, condition: Condition): boolean {
  const fact = facts[condition.field] ?? null
  switch (condition.operator) {
    case 'is_set':
      return isSet(fact)
    case 'is_not_set':
      return !isSet(fact)
    case 'equals':
      return values(fact).some((value) => isSame(value, condition.value))
    case 'not_equals':
      return !values(fact).some((value) => isSame(value, condition.value))
    case 'contains':
      return values(fact).some((value) => lower(value).includes(lower(condition.value)))
    case 'not_contains':
      return !values(fact).some((value) => lower(value).includes(lower(condition.value)))
    case 'starts_with':
      return values(fact).some((value) => lower(value).startsWith(lower(condition.value)))
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

const isSet = (fact: Fact) => values(fact).length > 0

/** A list matches if any entry matches; null and the empty string count as unset. */
function values(fact: Fact): readonly (string | number)[] {
  if (fact === null || fact === '') return []
  return typeof fact === 'object' ? fact : [fact]
}

/** Comparisons ignore case, and numbers match their text form. */
const lower = (value: string | number) => String(value).toLowerCase()
const isSame = (a: string | number, b: string | number) => lower(a) === lower(b)
