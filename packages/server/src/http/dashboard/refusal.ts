import { isServiceError } from '@service/client'
import { ApiError } from '../../core/errors.ts'
import type { Refusal } from '../../ui/error-pages.tsx'
import type { AdminRefusal } from '../../ui/page-types.ts'
import { statusOf } from '../error-response.ts'

/** What a page's failure is for its reader; undefined for a fault of ours, which the operator is told. */
export function toRefusal(thrown: unknown, said: (error: unknown) => AdminRefusal | undefined): Refusal | undefined {
  if (thrown instanceof ApiError) return { status: statusOf[thrown.code], message: thrown.message }
  if (!isServiceError(thrown) || thrown.status === undefined || thrown.status < 400) return undefined
  const { status, retryAfterMs, requestId } = thrown
  return { status, message: said(thrown)?.message ?? thrown.message, retryAfterMs, requestId }
}
