import type { WebhookEvent } from './event.ts'
import { refuse } from './webhook-error.ts'

/** What is needed of a schema: the part of Standard Schema (version 1) that zod, valibot, arktype and others share. */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult | Promise<SchemaResult>
  }
}

/** What a schema answers: issues, or none. */
export interface SchemaResult {
  readonly issues?: readonly SchemaIssue[] | undefined
}

/** One thing that a schema found wrong, and where. */
export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/**
 * Asks the schema about a payload. An event that is newer than this version is not asked about: the schema cannot know it
 * either, and to refuse it would have it sent again for days.
 */
export const validate = ({ type, payload }: WebhookEvent, schema: StandardSchema | undefined) =>
  type === 'unknown' ? undefined : schema?.['~standard'].validate(payload)

/** Tells where the first issue is, and not its message, which may quote the body. */
export function requireValid(result: SchemaResult | undefined): void {
  const issue = result?.issues?.[0]
  if (!issue) return
  const path = (issue.path ?? []).map((part) => Object(part).key ?? part)
  refuse('invalid_payload', { hint: `the schema refuses ${['payload', ...path].join('.')}`, status: 400 })
}
