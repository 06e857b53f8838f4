import type { Route } from '@service/contract/route'
import type * as z from 'zod/mini'
import { type Call, type CallMeta, type Completed, toCall } from './call.ts'
import type { CreateOptions } from './call-options.ts'
import { ownError } from './errors/service-error.ts'
import type { Answered } from './exchange.ts'
import { fillPath } from './path.ts'
import { perform } from './perform.ts'
import { type PreparedCall, prepareCall } from './prepare-call.ts'
import type { Settings } from './settings.ts'

/** Makes the calls of a route. The body is left out where the route has none. */
export type SendTo<Data> = (options?: CreateOptions, body?: unknown) => Call<Data>

type DataRoute = Route & { readonly answer: z.ZodMiniType<{ data: unknown }> }

/** What the resources are made of: one function per kind of answer, each giving a function per route. */
export interface Sender {
  /** For answers of the form `{data}`: gives what is in it. */
  readonly data: <R extends DataRoute>(route: R) => SendTo<z.output<R['answer']>['data']>
  /** For the others: gives the whole. */
  readonly whole: <R extends Route>(route: R) => SendTo<z.output<R['answer']>>
}

export function createSender(settings: Settings): Sender {
  const sendTo = <Data>(contract: Route, pick: (answer: unknown) => Data): SendTo<Data> => {
    const url = settings.baseUrl + fillPath(contract.path, { workspace: settings.workspace })
    return (options, body) => toCall(complete(() => prepareCall(settings, { contract, url, body, options }), pick), ownError)
  }
  // The schema has checked the shape, or the caller asked not to throw when it differs.
  return {
    data: (route) => sendTo(route, (answer) => (answer as { data: never } | undefined)?.data as never),
    whole: (route) => sendTo(route, (answer) => answer as never),
  }
}
