import { ErrorBody, type Route } from '@service/contract'
import type * as z from 'zod/mini'
import { type Problem, problemsOf } from './problem.ts'
import { strictly } from './strictly.ts'

/** An answer as far as the contract speaks of it. */
export interface Answered {
  readonly status: number
  readonly contentType: string | null
  readonly text: string
}

/** What of an answer breaks the contract: its status, its kind, every field of its body. */
export function answerProblems(route: Route, { status, contentType, text }: Answered): readonly Problem[] {
  const succeeded = status === route.status || (route.status === 201 && status === 200) // the quirk createdStatus
  if (!succeeded && !route.refusals.some((refusal) => refusal === status)) {
    return [{ at: 'status', message: `The contract does not list ${status} for ${route.operation}.` }]
  }
  // A platform's challenge is answered in its own words (see the pings of leads and Git).
  if (succeeded && route.surface === 'inbound' && contentType?.startsWith('text/plain') === true) return []
  if (contentType?.startsWith('application/json') !== true) {
    return [
      { at: 'content-type', message: `The answer is ${contentType ?? 'of no type'} where the contract has JSON.` },
    ]
  }
  const known = lastChecked.get(route)
  if (known?.status === status && known.text === text) return known.problems
  const problems = bodyProblems(succeeded ? [route.answer] : refusalSchemas(route, status), text)
  lastChecked.set(route, { status, text, problems })
  return problems
}

/** Who polls a list gets the same text again and again; to compare it costs a hundredth of reading it. */
const lastChecked = new WeakMap<Route, Omit<Answered, 'contentType'> & { readonly problems: readonly Problem[] }>()

function bodyProblems(schemas: readonly z.ZodMiniType[], text: string): Problem[] {
  const body = parse(text)
  if (body === undefined) return [{ at: '$', message: 'The body is not JSON.' }]
  const found = schemas.map((schema) => problemsOf(strictly(schema), body.json))
  const [fewest = []] = found.toSorted((a, b) => a.length - b.length)
  return fewest
}

export function parse(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** The common error body, or the one of its own that this status has on this route. */
function refusalSchemas(route: Route, status: number): z.ZodMiniType[] {
  const own = Object.entries(route.refusalAnswers ?? {}).find(([refusal]) => refusal === String(status))
  return own === undefined ? [ErrorBody] : [ErrorBody, own[1]]
}
