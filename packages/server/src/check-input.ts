import { describeIssue } from '@service/contract'
import * as z from 'zod/mini'
import { type FieldErrors, validation } from './api-error.ts'

/** The input as its schema has it, or 422 with a sentence for each field. */
export function checkInput<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, input, { reportInput: true })
  if (parsed.success) return parsed.data
  throw validation(fieldErrors(parsed.error.issues))
}

function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors: Record<string, string[]> = {}
  for (const issue of issues) {
    const field = issue.path.join('.') || 'body'
    errors[field] = [...(errors[field] ?? []), describeIssue(issue)]
  }
  return errors
}
