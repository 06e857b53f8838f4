import type { Mapping } from './evaluate-mapping.ts'
import { checkExpression } from './expressions/check-expression.ts'

const maxListSearches = 3

/** Returns why a mapping cannot be saved: a sentence for each invalid field, by its path. */
export function findMappingProblems(
  { fields = {}, ignore_when, opens_when }: Mapping,
  { known, opensTickets }: { readonly known: readonly string[]; readonly opensTickets: boolean },
): Record<string, string> {
  const problems: Record<string, string> = {}
  let searches = 0
  const checkAt = (path: string, expression: string) => {
    const checked = checkExpression(expression)
    searches += checked.searches
    if (checked.problem !== undefined) problems[path] = checked.problem
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
