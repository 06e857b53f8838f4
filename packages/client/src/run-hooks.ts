import ky, { type AfterResponseHook, type BeforeErrorHook, type BeforeRequestHook } from 'ky'
import { type AttemptState, recordStatus } from './attempt.ts'
import { createError, withCause } from './create-error.ts'
import {
  type AnyServiceError,
  InvalidRequestError,
  isServiceError,
  NetworkError,
  ResponseError,
} from './errors/family.ts'
import type { ClientHooks } from './hooks.ts'
import { notSentError } from './network-error.ts'
import { type Outgoing, sendFor } from './send-request.ts'

// Loaded only by the first call of a client with hooks, because ky is more than half the size of the client.

/**
 * One attempt, with the hooks run by ky. Its own policies are off, and docs/decisions/021-client-transport.md says why:
 * the client retries, limits the time and judges the status.
 */
export function sendWithHooks(attempt: AttemptState, hooks: ClientHooks, outgoing: Outgoing): Promise<Response> {
  requireRequest(attempt)
  const rememberRequest: BeforeRequestHook = ({ request, options }) => {
    attempt.hookedRequest = { request, options }
  }
  const withKy = ky.create({
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    // With these options ky always passes a `Request`.
    fetch: async (input) => {
      const response = await sendPlain(attempt, input as Request, outgoing)
      // Known from here on, even if a hook never returns.
      recordStatus(attempt, response.status)
      return response
    },
    hooks: {
      beforeRequest: [...(hooks.beforeRequest ?? []).map((hook) => beforeRequest(attempt, hook)), rememberRequest],
      afterResponse: (hooks.afterResponse ?? []).map((hook) => afterResponse(attempt, hook)),
    },
  })
  return withKy(outgoing.url, {
    method: outgoing.method,
    headers: outgoing.headers,
    body: outgoing.body ?? null,
    signal: outgoing.signal,
    redirect: 'manual',
  })
}

/** Sends what the hooks left of the request. Its URL, method, headers and body may have changed. */
async function sendPlain(attempt: AttemptState, request: Request, outgoing: Outgoing): Promise<Response> {
  return sendFor(attempt, {
    ...outgoing,
    url: request.url,
    method: request.method as Outgoing['method'], // whatever a hook has chosen
    headers: Object.fromEntries(request.headers),
    body: await readBody(request),
  })
}

async function readBody(request: Request): Promise<string | ArrayBuffer | undefined> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  const { headers } = request
  const isText = headers.get('content-type')?.includes('json') && !headers.has('content-encoding')
  return isText ? request.text() : request.arrayBuffer()
}

// Jest's jsdom environment has no fetch API unless a setup file adds it.
function requireRequest(attempt: AttemptState): void {
  if (typeof globalThis.Request === 'function') return
  throw notSentError(attempt, 'hooks need the global Request, which this environment does not have.')
}

const beforeRequest =
  (attempt: AttemptState, hook: BeforeRequestHook): BeforeRequestHook =>
  async (state) => {
    const result = await (async () => hook(state))().catch((thrown: unknown) => {
      throw withCause(notSentByHook(attempt, 'A beforeRequest hook failed.'), thrown)
    })
    const isRead = !(result instanceof Response) && (result instanceof Request ? result : state.request).bodyUsed
    if (isRead) throw notSentByHook(attempt, 'A beforeRequest hook read the body. Let it read request.clone().')
    return result
  }

function notSentByHook(attempt: AttemptState, message: string): InvalidRequestError {
  attempt.attempts -= 1
  attempt.delivered = attempt.deliveredBefore
  const fields = { issues: [{ path: '', message }] }
  return createError(InvalidRequestError, { attempt, message: `was not sent: ${message}`, fields })
}

const afterResponse =
  (attempt: AttemptState, hook: AfterResponseHook): AfterResponseHook =>
  async (state) => {
    try {
      // Ky sends each attempt once, so it counts no retries; the client does.
      const result = await hook({ ...state, retryCount: attempt.retries })
      // Like ky, ignores what is not an object, such as the number that `push` returns.
      const isMarker = typeof result === 'object' && result !== null && !('status' in result)
      // The application may use another copy of ky, whose `ky.retry()` this one would not recognize.
      if (!isMarker) return result
    } catch (thrown) {
      const message = `answered ${attempt.status}, but an afterResponse hook failed.`
      throw withCause(createError(ResponseError, { attempt, message, fields: {} }), thrown)
    }
    const message = `answered ${attempt.status}, and an afterResponse hook asked for a retry.`
    throw createError(NetworkError, {
      attempt,
      message,
      retryable: attempt.call.repeatable,
      fields: { reason: 'unknown' },
    })
  }

/**
 * The error that a failed call throws, which hooks may replace. Every failure of the client is a
 * `ServiceError`, so any other error that a hook returns or throws becomes its `cause`.
 */
export async function runBeforeError(
  { hookedRequest, retries: retryCount }: AttemptState,
  hooks: readonly BeforeErrorHook[],
  given: AnyServiceError,
): Promise<AnyServiceError> {
  let error = given
  if (!hookedRequest) return error
  for (const hook of hooks) {
    const result = await runHook(hook, { ...hookedRequest, error, retryCount })
    error = isServiceError(result) ? result : withCause(error, result)
  }
  return error
}

async function runHook(hook: BeforeErrorHook, state: Parameters<BeforeErrorHook>[0]): Promise<unknown> {
  try {
    return await hook(state)
  } catch (thrown) {
    return thrown
  }
}
