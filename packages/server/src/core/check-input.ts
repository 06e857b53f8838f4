import { describeIssue } from '@service/contract'
import * as z from 'zod/mini'
import { type FieldErrors, validation } from './errors.ts'
import { unknownKeys } from './unknown-keys.ts'

/** The input as its schema has it, or 422 with a sentence for each field. */
export function checkInput<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, input, { reportInput: true })
  if (parsed.success) return parsed.data
  throw validation(fieldErrors(parsed.error.issues))
}

/** The same, and 422 for what the schema would pass over. */
export function checkKnownInput<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  const unknown = unknownKeys(schema, input)
  if (unknown.length === 0) return checkInput(schema, input)
  throw validation(Object.fromEntries(unknown.map(({ path, sentence }) => [path.join('.'), [sentence]])))
}

function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors: Record<string, string[]> = {}
  for (const issue of issues) {
    const field = issue.path.join('.') || 'body'
    errors[field] = [...(errors[field] ?? []), describeIssue(issue)]
  }
  return errors
}
