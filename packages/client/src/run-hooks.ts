import ky, { type AfterResponseHook, type BeforeErrorHook, type BeforeRequestHook } from 'ky'
import type { AttemptState } from './attempt.ts'
import { createError } from './create-error.ts'
import { type AnyServiceError, InvalidRequestError, isServiceError, ResponseError } from './errors/family.ts'
import type { ClientHooks } from './hooks.ts'
import { type Outgoing, send } from './send-request.ts'

// Loaded only by the first call of a client with hooks, because ky is more than half the size of the client.

/**
 * One attempt, with the hooks run by ky. Its own policies are off, and docs/decisions/021-client-transport.md says why:
 * the client retries, limits the time and judges the status.
 */
export function sendWithHooks(attempt: AttemptState, hooks: ClientHooks, outgoing: Outgoing): Promise<Response> {
  const { fetch = globalThis.fetch } = attempt.call.settings
  const rememberRequest: BeforeRequestHook = ({ request, options }) => {
    attempt.hookedRequest = { request, options }
  }
  const withKy = ky.create({
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    // With these options ky always passes a `Request`.
    fetch: async (input) => fetch(input as Request),
    hooks: {
      beforeRequest: [...(hooks.beforeRequest ?? []).map((hook) => beforeRequest(attempt, hook)), rememberRequest],
      afterResponse: (hooks.afterResponse ?? []).map((hook) => afterResponse(attempt, hook)),
    },
  })
  return send(withKy, outgoing)
}

const beforeRequest =
  (attempt: AttemptState, hook: BeforeRequestHook): BeforeRequestHook =>
  async (state) => {
    try {
      return await hook(state)
    } catch (thrown) {
      attempt.attempts -= 1
      attempt.delivered = attempt.deliveredBefore
      const message = 'A beforeRequest hook failed.'
      const fields = { issues: [{ path: '', message }] }
      throw withCause(
        createError(InvalidRequestError, { attempt, message: `was not sent: ${message}`, fields }),
        thrown,
      )
    }
  }

const afterResponse =
  (attempt: AttemptState, hook: AfterResponseHook): AfterResponseHook =>
  async (state) => {
    try {
      // Ky sends each attempt once, so it counts no retries; the client does.
      return await hook({ ...state, retryCount: attempt.retries })
    } catch (thrown) {
      attempt.delivered = 'yes'
      attempt.status = state.response.status
      const message = `answered ${attempt.status}, but an afterResponse hook failed.`
      throw withCause(createError(ResponseError, { attempt, message, fields: {} }), thrown)
    }
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

/** Not enumerable, like every `cause`, so that logs do not print the application's error. */
const withCause = <Failure extends AnyServiceError>(error: Failure, cause: unknown): Failure =>
  Object.defineProperty(error, 'cause', { value: cause, configurable: true, writable: true })
