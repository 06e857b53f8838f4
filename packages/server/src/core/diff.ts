import type { Changes } from '@service/contract'

/** What a patch changes in a row: the columns to write, and from/to of each for the event. Nothing when all is as before. */
export function diff<Row extends object, Patch extends { readonly [Field in keyof Row]?: unknown }>(
  before: Row,
  patch: Patch,
): { patch: Partial<Row>; fields: Changes } | undefined {
  const changed = Object.entries(patch).filter(([field, to]) => to !== undefined && before[field as keyof Row] !== to)
  if (changed.length === 0) return undefined
  return {
    patch: Object.fromEntries(changed) as Partial<Row>, // only fields of the row pass the type of `patch`
    fields: Object.fromEntries(changed.map(([field, to]) => [field, { from: before[field as keyof Row] ?? null, to }])),
  }
}
