import { faultOf } from '../../delivery/receivers.ts'

/**
 * What a receiver answers: a status, a whole answer, a function, or what goes wrong on the way. A timeout is had at once,
 * without waiting for it.
 */
export type Answer = number | AnswerParts | AnswerFault | ((request: Request) => Response | Promise<Response>)

/** An answer in plain words. */
export interface AnswerParts {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type AnswerFault = 'timeout' | 'reset' | 'refused' | 'dns'

const codes: Readonly<Record<AnswerFault, string>> = {
  timeout: 'ETIMEDOUT',
  reset: 'ECONNRESET',
  refused: 'ECONNREFUSED',
  dns: 'ENOTFOUND',
}

export async function toResponse(answer: Answer, request: Request): Promise<Response> {
  if (typeof answer === 'function') return answer(request)
  if (typeof answer === 'string') throw faultOf(codes[answer], `The receiver was told to fail: ${answer}`)
  const { status = 200, headers = {}, body = null } = typeof answer === 'number' ? { status: answer } : answer
  return new Response(body, { status, headers })
}

/** Throws a TypeError that says how an answer is written. */
export function requireAnswer(answer: Answer): void {
  const isKnown =
    typeof answer === 'function' ||
    (typeof answer === 'string'
      ? answer in codes
      : isStatus(typeof answer === 'number' ? answer : (answer.status ?? 200)))
  if (isKnown) return
  throw new TypeError(
    `An answer is a status from 200 to 599, { status, headers, body }, a function, 'timeout', 'reset', 'refused' or 'dns'; it was ${JSON.stringify(answer)}.`,
  )
}

const isStatus = (status: number) => Number.isInteger(status) && status >= 200 && status <= 599
