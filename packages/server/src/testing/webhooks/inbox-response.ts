import { requireKnown } from '../../core/known-keys.ts'
import { faultOf } from '../../delivery/egress/in-process-receivers.ts'

/**
 * What a receiver answers: a status, a whole answer, a function, or what goes wrong on the way. A timeout is had at once,
 * without waiting for it.
 */
export type InboxResponse =
  | number
  | InboxResponseParts
  | InboxResponseFault
  | ((request: Request) => Response | Promise<Response>)

/** An answer in plain words. */
export interface InboxResponseParts {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A failure of the network in place of an answer. */
export type InboxResponseFault = 'timeout' | 'reset' | 'refused' | 'dns'

const codes: Readonly<Record<InboxResponseFault, string>> = {
  timeout: 'ETIMEDOUT',
  reset: 'ECONNRESET',
  refused: 'ECONNREFUSED',
  dns: 'ENOTFOUND',
}

export async function toInboxResponse(answer: InboxResponse, request: Request): Promise<Response> {
  if (typeof answer === 'function') return answer(request)
  if (typeof answer === 'string') throw faultOf(codes[answer], `The receiver was told to fail: ${answer}`)
  const { status = 200, headers = {}, body = null } = typeof answer === 'number' ? { status: answer } : answer
  return new Response(body, { status, headers })
}

/** Throws a TypeError that says how an answer is written. */
export function requireInboxResponse(answer: InboxResponse): void {
  if (typeof answer === 'object') requireKnown(answer, ['status', 'headers', 'body'], 'An answer')
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
