import type { Changes } from '@service/contract'

/** The columns that a patch changes in a row, and from/to of each for the event; undefined if nothing changes. */
export function diff<Row extends object, Patch extends { readonly [Field in keyof Row]?: unknown }>(
  before: Row,
  patch: Patch,
): { patch: Partial<Row>; fields: Changes } | undefined {
  const changed = Object.entries(patch).filter(([field, to]) => to !== undefined && before[field as keyof Row] !== to)
  if (changed.length === 0) return undefined
  return {
    patch: Object.fromEntries(changed) as Partial<Row>, // the type of `patch` allows only fields of the row
    fields: Object.fromEntries(changed.map(([field, to]) => [field, { from: before[field as keyof Row] ?? null, to }])),
  }
}
