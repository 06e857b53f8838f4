import { validation } from './errors.ts'

/** One id of a body: where to look it up, and what it is called in the refusal. */
export interface Reference<Thing> {
  readonly id: number | null | undefined
  readonly find: (id: number) => Promise<Thing | undefined>
}

type Found<References> = {
  readonly [Field in keyof References]: References[Field] extends Reference<infer Thing> ? Thing | null : never
}

/**
 * Looks up every id of a body. An id that is not in the workspace gives 422 on its field, all of them at once;
 * whether it exists elsewhere is not told.
 */
export async function requireReferences<References extends Readonly<Record<string, Reference<unknown>>>>(
  references: References,
): Promise<Found<References>> {
  const found: Record<string, unknown> = {}
  const errors: Record<string, string[]> = {}
  for (const [field, { id, find }] of Object.entries(references)) {
    found[field] = id === null || id === undefined ? null : await find(id)
    if (found[field] === undefined) errors[field] = [`The selected ${field} is not in this workspace.`]
  }
  if (Object.keys(errors).length > 0) throw validation(errors)
  return found as Found<References> // filled field by field above
}
