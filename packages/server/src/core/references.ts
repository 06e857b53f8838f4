import { validation } from './errors.ts'

/** One id in a body: how to look it up, and its name in the error message. */
export interface Reference<Thing> {
  readonly id: number | null | undefined
  readonly find: (id: number) => Promise<Thing | undefined>
}

type Found<References> = {
  readonly [Field in keyof References]: References[Field] extends Reference<infer Thing> ? Thing | null : never
}

/**
 * Looks up every id in a body. Ids outside the workspace are reported together as a 422 on their fields, which does not
 * reveal whether they exist elsewhere.
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
  return found as Found<References> // every field was set above
}
