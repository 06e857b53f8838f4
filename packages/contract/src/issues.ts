import { describeProblem, type Issue, statedProblem } from './stated-issues.ts'

/** One sentence per problem, naming the field, e.g. "The title field is required." */
export const describeIssue = (issue: Issue): string => describeProblem(issue, toProblem(issue))

function toProblem(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_format':
      return formatProblem(issue)
    case 'too_big':
      return `must not be greater than ${issue.maximum}${getUnit(issue.origin)}`
    case 'too_small':
      return `must be at least ${issue.origin === 'int' || issue.inclusive === false ? 1 : issue.minimum}${getUnit(issue.origin)}`
    default:
      return statedProblem(issue)
  }
}

/** What is wrong with text that is not an instant, or one on a day that does not exist. */
export const instantProblem = 'must be a valid date and time with a UTC offset, such as 2026-01-31T09:00:00Z'

function formatProblem(issue: Extract<Issue, { code: 'invalid_format' }>): string {
  if (issue.message === 'required') return 'is required'
  if (issue.message === 'blank') return 'must not be blank'
  if (issue.message === 'nul') return 'must not contain NUL characters'
  if (issue.format === 'date') return 'must be a valid date (YYYY-MM-DD)'
  if (issue.format === 'datetime') return instantProblem
  if (issue.format === 'email') return 'must be a valid email address'
  return 'has an invalid format'
}

function getUnit(origin: string): string {
  if (origin === 'string') return ' characters'
  return origin === 'array' ? ' items' : ''
}
