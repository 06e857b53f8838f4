import type { Method } from '@service/contract/route'
import type { AttemptState } from './attempt.ts'
import type { Fetch, FetchOptions } from './client-options.ts'
import { withCause } from './create-error.ts'
import { isServiceError } from './errors/family.ts'
import { fetchOptionError, isNetworkFailure, notSentError } from './network-error.ts'

/** One request, as plain values that every runtime accepts. */
export interface Outgoing {
  readonly url: string
  readonly method: Method
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | ArrayBuffer | undefined
  readonly signal: AbortSignal
  readonly fetchOptions: FetchOptions | undefined
}

/**
 * The only place that uses the network: one request, one response, no policy. Always `fetch(url, init)`, because React
 * and Next reuse the response of an equal `Request` and ignore its signal, so that a retry would send nothing. Redirects
 * are never followed, because `fetch` would send custom headers to the other origin and turn a POST into a GET. `manual`
 * instead of `error`, because workers support only that.
 */
export async function sendFor(attempt: AttemptState, { url, fetchOptions, ...request }: Outgoing): Promise<Response> {
  const init = { ...fetchOptions, ...request, body: request.body ?? null, redirect: 'manual' } as const
  const { fetch: custom } = attempt.call.settings
  if (custom) return sendWith(custom, { attempt, url, init })
  if (typeof globalThis.fetch === 'function') return globalThis.fetch(url, init)
  throw notSentError(attempt, 'there is no global fetch. Pass the fetch option.')
}

interface CustomRequest {
  readonly attempt: AttemptState
  readonly url: string
  readonly init: RequestInit
}

async function sendWith(fetch: Fetch, { attempt, url, init }: CustomRequest): Promise<Response> {
  let mayHaveSent = false
  void microtasks().then(() => {
    mayHaveSent = true
  })
  try {
    return await fetch(url, init)
  } catch (thrown) {
    // Another client's error is about another request.
    if (!isServiceError(thrown) && isNetworkFailure(thrown)) throw thrown
    throw withCause(fetchOptionError(attempt, mayHaveSent), thrown)
  }
}

/** A function that fails before these have passed has not waited for the network, so it has sent nothing. */
async function microtasks(): Promise<void> {
  for (let count = 0; count < 10; count += 1) await undefined
}
