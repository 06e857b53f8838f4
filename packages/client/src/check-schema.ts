import { describeStatedIssue, isStated } from '@service/contract/stated-issues'
import * as z from 'zod/mini'
import type { Issue } from './errors/details.ts'

/** Checks a value against a schema. Returns the data or the issues. */
export type CheckBody = (
  schema: unknown,
  value: unknown,
  /** The `AttemptState` of a response, which depends on this type. */
  attempt?: unknown,
) => { readonly data?: unknown; readonly issues?: readonly Issue[] | undefined }

/** Checks documented fields and types, not the server's limits. Issues contain no values, which may be personal. */
export const checkSchema: CheckBody = (schema, value) => {
  // `as`: every schema of a route is one. The input must be reported, or all reads as missing.
  const { data, error } = z.safeParse(schema as z.ZodMiniType, value, { reportInput: true })
  const stated = error?.issues.filter(isStated)
  // A value that only breaks limits is accepted.
  if (!stated?.length) return { data: error ? value : data }
  return { issues: stated.map((issue) => ({ path: issue.path.join('.'), message: describeStatedIssue(issue) })) }
}
