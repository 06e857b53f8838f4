import * as z from 'zod/mini'
import { validation } from '../../core/errors.ts'
import { parseJson } from '../../core/json.ts'

// What takes a change of several records back. It is part of the address of the Undo button, because nothing else
// is stored for a button that is shown for ten seconds.

/** A record after the change. */
export interface ChangedRecord {
  readonly id: number
  /** The `ETag` after the change. */
  readonly etag: string
  /** The earlier values of the changed fields. For a list, only the entries that were added. */
  readonly before: Readonly<Record<string, unknown>>
}

/** Longer states do not fit into the cookie of the notice, which encodes the address again. */
const maxLength = 3000
const lengthInCookie = (state: string) => encodeURIComponent(encodeURIComponent(state)).length

/** Records with the same earlier values share them. Undefined if the state is too long for an address. */
export function toUndoState(changed: readonly ChangedRecord[]): string | undefined {
  const groups = [...new Set(changed.map(({ before }) => JSON.stringify(before)))]
  const rows = changed.map(
    ({ id, etag, before }) => `${id}.${groups.indexOf(JSON.stringify(before))}.${shortTag(etag)}`,
  )
  const state = JSON.stringify([rows.join('*'), ...groups.map((group) => JSON.parse(group))])
  return lengthInCookie(state) > maxLength ? undefined : state
}

/** Long enough that another version is not taken for this one. */
const shortTag = (etag: string) => etag.slice(1, 9)

export const isVersion = (etag: string | undefined, record: ChangedRecord): boolean =>
  etag !== undefined && shortTag(etag) === record.etag

const UndoState = z.tuple([z.string()], z.record(z.string(), z.unknown()))

export function parseUndoState(state: string): readonly ChangedRecord[] {
  const parsed = z.safeParse(UndoState, parseJson(state))
  if (!parsed.success) throw validation({ undo: ['The undo field is incomplete. Change the rows again instead.'] })
  const [rows, ...groups] = parsed.data
  return rows.split('*').map((row) => {
    const [id, group, etag = ''] = row.split('.')
    return { id: Number(id), etag, before: groups[Number(group)] ?? {} }
  })
}
