import { describeIssue } from '@service/contract/issues'
import * as z from 'zod/mini'
import type { Check } from './prepare-call.ts'

/** Checks against a schema of the contract. Paths and sentences only: the values may be personal. */
export const checkSchema: Check = (schema, value) => {
  // `as`: every schema of a route is one. The input must be reported, or all reads as missing.
  const { data, error } = z.safeParse(schema as z.ZodMiniType, value, { reportInput: true })
  return {
    data,
    issues: error?.issues.map((issue) => ({ path: issue.path.join('.'), message: describeIssue(issue) })),
  }
}
