import type * as z from 'zod/mini'

type Issue = z.core.$ZodIssue

/** The message of a check without a custom message. */
const defaultZodMessage = 'Invalid input'

const limits: readonly unknown[] = ['too_big', 'too_small', 'invalid_format']

/**
 * Whether the issue breaks what the platform's document states: fields and their types. Lengths, ranges and
 * formats are limits of our server. The real service may have other limits, so only our server enforces them.
 */
export const isStated = ({ code }: Issue): boolean => !limits.includes(code)

/** One sentence per problem, naming the field, e.g. "The title field is required." */
export function describeIssue(issue: Issue): string {
  const field = issue.path.join('.') || 'body'
  return `The ${field} field ${problemOf(issue)}.`
}

function problemOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return isMissing(issue) ? 'is required' : `must be ${nameOfType(issue.expected)}`
    case 'invalid_format':
      return formatProblem(issue)
    case 'too_big':
      return `must not be greater than ${issue.maximum}${unitOf(issue.origin)}`
    case 'too_small':
      return `must be at least ${issue.origin === 'int' || issue.inclusive === false ? 1 : issue.minimum}${unitOf(issue.origin)}`
    case 'invalid_value':
      return `must be one of: ${issue.values.join(', ')}`
    case 'custom':
    case 'invalid_union':
      return issue.message === defaultZodMessage ? 'is invalid' : issue.message
    default:
      return 'is invalid'
  }
}

function isMissing(issue: Issue): boolean {
  return issue.input === undefined || issue.input === null
}

function nameOfType(expected: string): string {
  if (expected === 'int') return 'an integer'
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`
}

function formatProblem(issue: Extract<Issue, { code: 'invalid_format' }>): string {
  if (issue.message === 'required') return 'is required'
  if (issue.message === 'nul') return 'must not contain NUL characters'
  if (issue.format === 'date') return 'must be a valid date (YYYY-MM-DD)'
  if (issue.format === 'email') return 'must be a valid email address'
  return 'has an invalid format'
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters'
  return origin === 'array' ? ' items' : ''
}
