import type { WebhookEvent } from './event.ts'
import { refuse } from './webhook-error.ts'

/** The part of Standard Schema (version 1) that verification uses. zod, valibot, arktype, and others implement it. */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult | Promise<SchemaResult>
  }
}

/** The result of a schema: issues, or none. */
export interface SchemaResult {
  readonly issues?: readonly SchemaIssue[] | undefined
}

/** A problem that a schema found, and its location. */
export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/**
 * Validates a payload. Skips events that this version does not know: the schema may not know them, and a refusal
 * would be retried for days.
 */
export const validate = ({ type, payload }: WebhookEvent, schema: StandardSchema | undefined) =>
  type === 'unknown' ? undefined : schema?.['~standard'].validate(payload)

/** Reports the path of the first issue without its message, which may quote the body. */
export function requireValid(result: SchemaResult | undefined): void {
  const issue = result?.issues?.[0]
  if (!issue) return
  const path = (issue.path ?? []).map((part) => Object(part).key ?? part)
  refuse('invalid_payload', { hint: `the schema refuses ${['payload', ...path].join('.')}`, status: 400 })
}
