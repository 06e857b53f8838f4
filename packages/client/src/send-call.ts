import type { ApiRoute, ResponseOf } from '@service/contract/route'
import { type Call, type CallMeta, type Completed, toCall } from './call.ts'
import type { CallOptions, CreateOptions } from './call-options.ts'
import { callerStack } from './caller-stack.ts'
import { omitUndefined } from './omit-undefined.ts'
import { fillPath } from './path.ts'
import { prepareCall, withBody } from './prepare-call.ts'
import type { PreparedCall } from './prepared-call.ts'
import type { ParsedResponse } from './run-attempt.ts'
import { sendWithRetries } from './send-with-retries.ts'
import type { WorkspaceSettings } from './settings.ts'

type DataOf<Body> = Body extends { data: infer Data } ? Data : never

/** The path parameters besides the workspace, one argument each. */
type PathArguments<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? [...(Name extends 'workspace' ? [] : [string | number]), ...PathArguments<Rest>]
  : []

type BodyArguments<R extends ApiRoute> = R extends { readonly body: unknown }
  ? [body: unknown, options?: CreateOptions]
  : [options?: CallOptions]

/** A method of the client for a route. Its arguments are the path parameters, the body if there is one, and options. */
type Method<R extends ApiRoute, Data> = (...args: [...PathArguments<R['path']>, ...BodyArguments<R>]) => Call<Data>

/** Creates the methods of the resources: one function per kind of response. */
export interface Sender {
  /** For responses of the form `{data}`. The method returns `data`. */
  readonly data: <R extends ApiRoute>(route: R) => Method<R, DataOf<ResponseOf<R>>>
  /** For other responses. The method returns the whole body. */
  readonly whole: <R extends ApiRoute>(route: R) => Method<R, ResponseOf<R>>
}

export function createSender(settings: WorkspaceSettings): Sender {
  const createMethod = (route: ApiRoute, pick?: (body: unknown) => unknown) => {
    const { baseUrl, workspace } = settings
    const method = (...args: unknown[]) => {
      const url = baseUrl + fillPath(route.path, (name) => (name === 'workspace' ? workspace : args.shift()))
      const [body, options] = route.body ? args : [undefined, ...args]
      // `as`: the interfaces of the resources define the arguments, and prepareCall rejects invalid options.
      const input = { route, url, body, options: options as CreateOptions, callerStack: callerStack(method) }
      const call = prepareCall(settings, input)
      return start(call, () => sendWithRetries(withBody(call, input)), pick)
    }
    return method as never // the route defines the arguments and the result
  }
  return {
    data: (route) => createMethod(route, (body) => (body as { data?: unknown } | null | undefined)?.data),
    whole: (route) => createMethod(route),
  }
}

// An allowlist, because unknown headers, such as those of a gateway, may contain a session.
const shownHeaderNames =
  /^(content-type|date|etag|idempotency-replayed|(x-)?ratelimit-(limit|remaining|reset)|retry-after|x-request-id)$/

const shownHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => shownHeaderNames.test(name)))

/**
 * Starts a call. If `send` throws immediately, the call fails too. The caller names the type of the data: the schema
 * has checked its shape, unless the application chose not to throw if it differs.
 */
export const start = <Data>(
  call: PreparedCall,
  send: () => Promise<ParsedResponse>,
  pick?: (body: unknown) => unknown,
): Call<Data> => toCall(complete(call, send, pick))

/** Sends a call. The caller names the type of the data, as in `start`. */
export async function complete<Data>(
  call: PreparedCall,
  send: () => Promise<ParsedResponse>,
  pick = (body: unknown) => body,
): Promise<Completed<Data>> {
  const { body, attempt, headers } = await send()
  const durationMs = Math.round(call.settings.clock() - call.startedAt)
  const { attempts, requestId, status = 0 } = attempt
  const { idempotencyKey } = call
  const meta = (): CallMeta => ({
    status,
    attempts,
    durationMs,
    headers: shownHeaders(headers),
    ...omitUndefined({ requestId, idempotencyKey }),
  })
  return { data: pick(body) as Data, meta }
}
