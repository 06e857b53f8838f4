import type * as z from 'zod/mini'

// Not in issues.ts: the client reports only these issues, so its bundle does not include the sentences about limits.

export type Issue = z.core.$ZodIssue

/** The message of a check without a custom message. */
const defaultZodMessage = 'Invalid input'

const limits: readonly unknown[] = ['too_big', 'too_small', 'invalid_format']

/**
 * Whether the issue breaks what the platform's document states: fields and their types. Lengths, ranges and
 * formats are limits of our server. The real service may have other limits, so only our server enforces them.
 */
export const isStated = ({ code }: Issue): boolean => !limits.includes(code)

/** One sentence that names the field, e.g. "The title field is required." */
export const describeStatedIssue = (issue: Issue): string => describeProblem(issue, statedProblem(issue))

export const describeProblem = ({ path }: Issue, problem: string): string =>
  `The ${path.join('.') || 'body'} field ${problem}.`

export function statedProblem(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return isMissing(issue) ? 'is required' : `must be ${nameOfType(issue.expected)}`
    case 'invalid_value':
      return `must be one of: ${issue.values.join(', ')}`
    case 'invalid_union':
      return issue.message === defaultZodMessage ? unionProblem(issue) : issue.message
    case 'custom':
      return issue.message === defaultZodMessage ? 'is invalid' : issue.message
    default:
      return 'is invalid'
  }
}

function unionProblem(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  if (isMissing(issue)) return 'is required'
  const types = issue.errors.flatMap(([first]) =>
    first?.code === 'invalid_type' && first.path.length === 0 ? [nameOfType(first.expected)] : [],
  )
  return types.length === issue.errors.length ? `must be ${[...new Set(types)].join(' or ')}` : 'is invalid'
}

function isMissing(issue: Issue): boolean {
  return issue.input === undefined || issue.input === null
}

function nameOfType(expected: string): string {
  if (expected === 'int') return 'an integer'
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`
}
