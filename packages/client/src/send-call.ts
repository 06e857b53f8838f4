import type { Route } from '@service/contract/route'
import type * as z from 'zod/mini'
import { type Call, type CallMeta, type Completed, toCall } from './call.ts'
import type { CreateOptions } from './call-options.ts'
import type { Answered } from './exchange.ts'
import { knownOnly } from './known-only.ts'
import { fillPath } from './path.ts'
import { perform } from './perform.ts'
import { type PreparedCall, prepareCall, withBody } from './prepare-call.ts'
import { shownHeaders } from './response-headers.ts'
import type { Settings } from './settings.ts'

/** Makes the calls of one route; the body is left out where the route has none. */
export type SendTo<Data> = (options: CreateOptions | undefined, body?: unknown) => Call<Data>

type DataRoute = Route & { readonly answer: z.ZodMiniType<{ data: unknown }> }

/** What the resources are made of: a function per kind of answer, giving a function per route. */
export interface Sender {
  /** For answers of the form `{data}`: gives what is in it. */
  readonly data: <R extends DataRoute>(route: R) => SendTo<z.output<R['answer']>['data']>
  /** For the others: gives the whole. */
  readonly whole: <R extends Route>(route: R) => SendTo<z.output<R['answer']>>
}

export function createSender(settings: Settings): Sender {
  const sendTo = <Data>(contract: Route, pick: (answer: unknown) => Data): SendTo<Data> => {
    const url = settings.baseUrl + fillPath(contract.path, { workspace: settings.workspace })
    return (options, body) => {
      const order = { contract, url, body, options }
      const call = prepareCall(settings, order)
      return start(call, () => perform(withBody(call, order)), pick)
    }
  }
  // The schema has checked the shape, or the caller asked not to throw when it differs.
  return {
    data: (route) => sendTo(route, (answer) => (answer as { data: never } | null | undefined)?.data as never),
    whole: (route) => sendTo(route, (answer) => answer as never),
  }
}

/** Puts a call on its way. What `send` throws at once is a failure of the call too. */
export const start = <Data>(call: PreparedCall, send: () => Promise<Answered>, pick: (answer: unknown) => Data) =>
  toCall(complete(call, send, pick))

async function complete<Data>(
  call: PreparedCall,
  send: () => Promise<Answered>,
  pick: (answer: unknown) => Data,
): Promise<Completed<Data>> {
  const { answer, trip, headers } = await send()
  const durationMs = Math.round(call.settings.clock() - call.startedAt)
  const { attempts, requestId, status = 0 } = trip
  const { idempotencyKey } = call
  const meta = (): CallMeta => ({
    status,
    attempts,
    durationMs,
    headers: shownHeaders(headers),
    ...knownOnly({ requestId, idempotencyKey }),
  })
  return { data: pick(answer), meta }
}
