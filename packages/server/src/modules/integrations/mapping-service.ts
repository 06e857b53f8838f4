import { type Mapping, mappedFields } from '@service/contract/admin/mapping'
import { findMappingProblems } from '@service/intake/evaluate-mapping'
import { validation } from '../../core/errors.ts'

/** What a mapping belongs to: its fields differ. */
export type MappingKind = keyof typeof mappedFields

/** Refuses a mapping that cannot be evaluated, with a sentence for each field. */
export function requireMapping(mapping: Mapping | null | undefined, kind: MappingKind): void {
  if (mapping === null || mapping === undefined) return
  const problems = findMappingProblems(mapping, { known: mappedFields[kind], opensTickets: kind === 'errors' })
  const errors = Object.entries(problems).map(([field, sentence]) => [field, [sentence]])
  if (errors.length > 0) throw validation(Object.fromEntries(errors))
}

/** The draft of a call of `explain` when it has one, even null, else the saved mapping. */
export function mappingToTry(
  draft: Mapping | null | undefined,
  saved: Mapping | null,
  kind: MappingKind,
): Mapping | null {
  requireMapping(draft, kind)
  return draft === undefined ? saved : draft
}
