import { answerSchema, ErrorBody, type Route, refusalsOf, successStatus } from '@service/contract'
import { Bytes } from '@service/contract/bytes'
import type * as z from 'zod/mini'
import { problemsOf, type SchemaProblem } from './problem.ts'
import { toStrictSchema } from './strict-schema.ts'

/** An answer as far as the contract speaks of it. */
export interface Answered {
  readonly status: number
  readonly contentType: string | null
  readonly text: string
}

/** What of an answer breaks the contract: its status, its kind, every field of its body. */
export function answerProblems(route: Route, { status, contentType, text }: Answered): readonly SchemaProblem[] {
  const success = successStatus(route)
  const succeeded = status === success || (success === 201 && status === 200) // the quirk createdStatus
  if (!succeeded && !refusalsOf(route).some((refusal) => refusal === status)) {
    return [{ at: 'status', message: `The contract does not list ${status} for ${route.operation}.` }]
  }
  if (succeeded && isWithoutJson(route, { contentType, text })) return []
  if (contentType?.startsWith('application/json') !== true) {
    return [
      { at: 'content-type', message: `The answer is ${contentType ?? 'of no type'} where the contract has JSON.` },
    ]
  }
  const known = lastChecked.get(route)
  if (known?.status === status && known.text === text) return known.problems
  const problems = bodyProblems(succeeded ? answerSchemas(route) : refusalSchemas(route, status), text)
  lastChecked.set(route, { status, text, problems })
  return problems
}

/** A success that has no JSON: nothing, bytes, or a platform's challenge that is echoed (see the ping of leads). */
function isWithoutJson(route: Route, { contentType, text }: Omit<Answered, 'status'>): boolean {
  const success = successStatus(route)
  if (success === 204) return text === ''
  return (
    route.answers[success] === Bytes ||
    (route.challengeAnswer !== undefined && contentType?.startsWith('text/plain') === true)
  )
}

/** Who polls a list gets the same text again and again; to compare it costs a hundredth of reading it. */
const lastChecked = new WeakMap<
  Route,
  Omit<Answered, 'contentType'> & { readonly problems: readonly SchemaProblem[] }
>()

function bodyProblems(schemas: readonly z.ZodMiniType[], text: string): SchemaProblem[] {
  const body = parse(text)
  if (body === undefined) return [{ at: '$', message: 'The body is not JSON.' }]
  const found = schemas.map((schema) => problemsOf(toStrictSchema(schema), body.json))
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

function answerSchemas(route: Route): z.ZodMiniType[] {
  const { challengeAnswer } = route
  return challengeAnswer === undefined ? [answerSchema(route)] : [answerSchema(route), challengeAnswer]
}

/** The common error body, or the one of its own that this status has on this route. */
function refusalSchemas(route: Route, status: number): z.ZodMiniType[] {
  const own = Object.entries(route.answers).find(([refusal]) => refusal === String(status))
  return own === undefined ? [ErrorBody] : [ErrorBody, own[1]]
}
