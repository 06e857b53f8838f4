import { type Mapping, mappedFields } from '@service/contract/admin/mapping'
import { validation } from '../../core/errors.ts'

/** The kind of record that a mapping changes. Each kind has its own fields. */
export type MappingKind = keyof typeof mappedFields

/** Refuses an invalid mapping, with a sentence for each field. The parser of expressions is loaded with the first mapping. */
export async function requireMapping(mapping: Mapping | null | undefined, kind: MappingKind): Promise<void> {
  if (mapping === null || mapping === undefined) return
  const { findMappingProblems } = await import('@service/intake/check-mapping')
  const problems = findMappingProblems(mapping, { known: mappedFields[kind], opensTickets: kind === 'errors' })
  const errors = Object.entries(problems).map(([field, sentence]) => [field, [sentence]])
  if (errors.length > 0) throw validation(Object.fromEntries(errors))
}

/** The draft of an `explain` request, which may be null, or else the saved mapping. */
export async function mappingToTry(
  draft: Mapping | null | undefined,
  saved: Mapping | null,
  kind: MappingKind,
): Promise<Mapping | null> {
  await requireMapping(draft, kind)
  return draft === undefined ? saved : draft
}
