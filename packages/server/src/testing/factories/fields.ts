import { describeIssue } from '@service/contract'
import * as z from 'zod/mini'
import { type FieldErrors, validation } from '../../core/errors.ts'
import { nearest } from '../../core/nearest.ts'

/** One thing that is wrong with an input, and where. */
export interface FieldProblem {
  readonly path: readonly (string | number)[]
  readonly sentence: string
}

/** The input as its schema has it, or everything that is wrong with it. */
export function readFields(
  schema: z.ZodMiniType,
  input: unknown,
  /** Fields that stand beside these and are read elsewhere. */
  others: readonly string[] = [],
): { readonly data?: unknown; readonly problems: FieldProblem[] } {
  const parsed = z.safeParse(schema, input, { reportInput: true })
  return parsed.success
    ? { data: parsed.data, problems: [] }
    : { problems: parsed.error.issues.flatMap((issue) => toProblems(issue, [...fieldNames(schema), ...others])) }
}

function fieldNames(schema: z.ZodMiniType): string[] {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'] // the closed union of zod's own schemas
  return def.type === 'object' ? Object.keys(def.shape) : []
}

function toProblems(issue: z.core.$ZodIssue, known: readonly string[]): FieldProblem[] {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
  if (issue.code !== 'unrecognized_keys') return [{ path, sentence: describeIssue(issue) }]
  return issue.keys.map((key) => {
    const meant = path.length === 0 ? nearest(key, known) : undefined
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    return { path: [...path, key], sentence: `There is no field ${key} here.${hint}` }
  })
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
