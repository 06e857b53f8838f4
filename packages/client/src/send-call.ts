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

/** What a path names besides the workspace, one argument each. */
type PathArguments<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? [...(Name extends 'workspace' ? [] : [string | number]), ...PathArguments<Rest>]
  : []

type BodyArguments<R extends ApiRoute> = R extends { readonly body: unknown }
  ? [body: unknown, options?: CreateOptions]
  : [options?: CallOptions]

/** A method of the client for a route: what the path names, the body where the route has one, options. */
type Method<R extends ApiRoute, Data> = (...given: [...PathArguments<R['path']>, ...BodyArguments<R>]) => Call<Data>

/** What the resources are made of: a function per kind of answer, giving the method of a route. */
export interface Sender {
  /** For answers of the form `{data}`: gives what is in it. */
  readonly data: <R extends ApiRoute>(route: R) => Method<R, DataOf<AnswerOf<R>>>
  /** For the others: gives the whole. */
  readonly whole: <R extends ApiRoute>(route: R) => Method<R, AnswerOf<R>>
}

export function createSender(settings: WorkspaceSettings): Sender {
  const methodOf = (contract: ApiRoute, pick?: (answer: unknown) => unknown) => {
    const { baseUrl, workspace } = settings
    const method = (...given: unknown[]) => {
      const url = baseUrl + fillPath(contract.path, (name) => (name === 'workspace' ? workspace : given.shift()))
      const [body, options] = contract.body ? given : [undefined, ...given]
      // `as`: the interfaces of the resources say which arguments a method has, and wrong ones are refused below.
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

// An allowlist: what a gateway adds may be a session, and what is not known is not shown.
const shown =
  /^(content-type|date|etag|idempotency-replayed|(x-)?ratelimit-(limit|remaining|reset)|retry-after|x-request-id)$/

const shownHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => shown.test(name)))

/**
 * Starts a call. What `send` throws right away makes the call fail too. The caller names the type of the data: the schema
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
