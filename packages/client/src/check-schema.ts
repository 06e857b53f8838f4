import { describeIssue, isStated } from '@service/contract/issues'
import * as z from 'zod/mini'
import type { Issue } from './errors/details.ts'

/** Compares a value with a schema: its data, or what is wrong with it. */
export type Check = (
  schema: unknown,
  value: unknown,
) => { readonly data?: unknown; readonly issues?: readonly Issue[] | undefined }

/** Checks fields and types, which the document states, and no limits, which are the server's. Paths and sentences only: the values may be personal. */
export const checkSchema: Check = (schema, value) => {
  // `as`: every schema of a route is one. The input must be reported, or all reads as missing.
  const { data, error } = z.safeParse(schema as z.ZodMiniType, value, { reportInput: true })
  const stated = error?.issues.filter(isStated)
  // What breaks a limit and nothing else is whole.
  if (!stated?.length) return { data: error ? value : data }
  return { issues: stated.map((issue) => ({ path: issue.path.join('.'), message: describeIssue(issue) })) }
}
