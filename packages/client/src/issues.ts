import { describeIssue } from '@service/contract/issues'
import type * as z from 'zod/mini'
import type { Issue } from './errors/details.ts'

/** Paths and sentences only: the values may be personal. The input must have been reported, or all reads as missing. */
export const readIssues = (error: z.core.$ZodError): Issue[] =>
  error.issues.map((issue) => ({ path: issue.path.join('.'), message: describeIssue(issue) }))
