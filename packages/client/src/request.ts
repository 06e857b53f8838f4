import { type Call, toCall } from './call.ts'
import type { CreateOptions } from './call-options.ts'
import { callerStack } from './caller-stack.ts'
import type { RequestInput } from './request-input.ts'
import type { WorkspaceSettings } from './settings.ts'

/** Sends a request to a route that the client has no method for. */
export type SendRequest = <Data = unknown>(input: RequestInput<Data>, options?: CreateOptions) => Call<Data>

export function requestSender(settings: WorkspaceSettings): SendRequest {
  const request: SendRequest = (input, options) => {
    const stack = callerStack(request as never)
    // Loaded on demand, because few applications need it.
    return toCall(
      import('./send-custom-request.ts').then(({ sendRequest }) =>
        sendRequest(settings, { request: { ...input }, options, callerStack: stack }),
      ),
    )
  }
  return request
}
