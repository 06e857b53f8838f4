import type { Ids } from '../core/ids.ts'

const acceptable = /^[\w.:-]{1,128}$/

/** The caller's `X-Request-Id` when it is safe to log and echo, else a new one. */
export function requestIdOf(header: string | null, ids: Ids): string {
  return header !== null && acceptable.test(header) ? header : ids.uuid()
}
