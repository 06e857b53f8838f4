import type { AnswerOf, ApiRoute } from '@service/contract/route'
import { type Call, type CallMeta, type Completed, toCall } from './call.ts'
import type { CallOptions, CreateOptions } from './call-options.ts'
import { callerStack } from './caller-stack.ts'
import type { Answered } from './exchange.ts'
import { omitUndefined } from './omit-undefined.ts'
import { fillPath } from './path.ts'
import { perform } from './perform.ts'
import { prepareCall, withBody } from './prepare-call.ts'
import type { PreparedCall } from './prepared-call.ts'
import type { WorkspaceSettings } from './settings.ts'

type DataOf<Answer> = Answer extends { data: infer Data } ? Data : never

/** The path parameters besides the workspace, one argument each. */
type PathArguments<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? [...(Name extends 'workspace' ? [] : [string | number]), ...PathArguments<Rest>]
  : []

type BodyArguments<R extends ApiRoute> = R extends { readonly body: unknown }
  ? [body: unknown, options?: CreateOptions]
  : [options?: CallOptions]

/** A method of the client for a route. Its arguments are the path parameters, the body if there is one, and options. */
type Method<R extends ApiRoute, Data> = (...given: [...PathArguments<R['path']>, ...BodyArguments<R>]) => Call<Data>

/** Creates the methods of the resources: one function per kind of response. */
export interface Sender {
  /** For responses of the form `{data}`. The method returns `data`. */
  readonly data: <R extends ApiRoute>(route: R) => Method<R, DataOf<AnswerOf<R>>>
  /** For other responses. The method returns the whole body. */
  readonly whole: <R extends ApiRoute>(route: R) => Method<R, AnswerOf<R>>
}

export function createSender(settings: WorkspaceSettings): Sender {
  const methodOf = (contract: ApiRoute, pick?: (answer: unknown) => unknown) => {
    const { baseUrl, workspace } = settings
    const method = (...given: unknown[]) => {
      const url = baseUrl + fillPath(contract.path, (name) => (name === 'workspace' ? workspace : given.shift()))
      const [body, options] = contract.body ? given : [undefined, ...given]
      // `as`: the interfaces of the resources define the arguments, and invalid ones are refused below.
      const order = { contract, url, body, options: options as CreateOptions, callerStack: callerStack(method) }
      const call = prepareCall(settings, order)
      return start(call, () => perform(withBody(call, order)), pick)
    }
    return method as never // the arguments and the answer are those of the route
  }
  return {
    data: (route) => methodOf(route, (answer) => (answer as { data?: unknown } | null | undefined)?.data),
    whole: (route) => methodOf(route),
  }
}

// An allowlist, because unknown headers, such as those of a gateway, may contain a session.
const shown =
  /^(content-type|date|etag|idempotency-replayed|(x-)?ratelimit-(limit|remaining|reset)|retry-after|x-request-id)$/

const shownHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => shown.test(name)))

/**
 * Starts a call. If `send` throws immediately, the call fails too. The caller names the type of the data: the schema
 * has checked its shape, or the application asked not to throw when it differs.
 */
export const start = <Data>(
  call: PreparedCall,
  send: () => Promise<Answered>,
  pick?: (answer: unknown) => unknown,
): Call<Data> => toCall(complete(call, send, pick))

async function complete<Data>(
  call: PreparedCall,
  send: () => Promise<Answered>,
  pick = (answer: unknown) => answer,
): Promise<Completed<Data>> {
  const { answer, trip: attempt, headers } = await send()
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
  return { data: pick(answer) as Data, meta }
}
