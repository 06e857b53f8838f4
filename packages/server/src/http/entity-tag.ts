import { createHash } from 'node:crypto'
import { ApiError } from '../core/errors.ts'

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
