import { describeIssue } from '@service/contract'
import * as z from 'zod/mini'
import { type FieldErrors, validation } from '../../api-error.ts'

/** One thing that is wrong with an input, and where. */
export interface Problem {
  readonly path: readonly (string | number)[]
  readonly sentence: string
}

/** The input as its schema has it, or everything that is wrong with it. */
export function readFields(
  schema: z.ZodMiniType,
  input: unknown,
): { readonly data?: unknown; readonly problems: Problem[] } {
  const parsed = z.safeParse(schema, input, { reportInput: true })
  return parsed.success ? { data: parsed.data, problems: [] } : { problems: parsed.error.issues.flatMap(toProblems) }
}

function toProblems(issue: z.core.$ZodIssue): Problem[] {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
  if (issue.code !== 'unrecognized_keys') return [{ path, sentence: describeIssue(issue) }]
  return issue.keys.map((key) => ({ path: [...path, key], sentence: `There is no field ${key} here.` }))
}

/** The input as its schema has it, or an `ApiError` that names the fields. */
export function checkFields(schema: z.ZodMiniType, input: unknown): unknown {
  const { data, problems } = readFields(schema, input)
  if (problems.length === 0) return data
  const errors: Record<string, string[]> = {}
  for (const { path, sentence } of problems) {
    const field = path.join('.') || 'body'
    errors[field] = [...(errors[field] ?? []), sentence]
  }
  throw validation(errors satisfies FieldErrors)
}
