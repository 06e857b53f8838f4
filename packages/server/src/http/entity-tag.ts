import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../core/errors.ts'
import { isJsonObject } from '../core/json.ts'

/**
 * The version of a resource. Fields that change through use, such as `last_used_at`, are excluded: otherwise a busy
 * subscription could never be updated with `If-Match`.
 */
export function entityTag(resource: unknown): string {
  const text = JSON.stringify(resource, (name, value: unknown) => (/^last_\w+_at$/.test(name) ? undefined : value))
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

/** Whether the caller already has this version. `If-None-Match` compares weakly (RFC 9110 §13.1.2). */
export function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  const known = ifNoneMatch.split(',', maxTags).map((tag) => tag.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}

const maxTags = 100

/** `If-Match` compares strongly: a weak tag never matches (RFC 9110 §13.1.1). */
export function requireMatch(ifMatch: string | null, current: unknown): void {
  if (ifMatch === null) return
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (current !== undefined && (tags.includes('*') || tags.includes(entityTag(current)))) return
  throw new ApiError('precondition_failed', 'This has changed since it was read. Get it again and repeat the change.')
}

/** Whether a resource already has the values of a patch. Values that it does not show count as different. */
export const isApplied = (patch: unknown, current: unknown): boolean =>
  isJsonObject(patch) &&
  isJsonObject(current) &&
  Object.entries(patch).every(([name, value]) => value === undefined || isSame(value, current[name]))

/** Amounts are numbers in requests and text in responses. */
const isSame = (value: unknown, stored: unknown): boolean =>
  typeof value === 'number' && typeof stored === 'string' ? value === Number(stored) : isDeepStrictEqual(value, stored)
