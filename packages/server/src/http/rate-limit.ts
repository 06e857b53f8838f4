import type { App } from '../context.ts'
import { type Counted, rateWindows } from '../core/rate-windows.ts'
import { type Caller, countRequest, findCaller } from '../modules/tokens/service.ts'

export interface Allowance {
  readonly limit: number
  readonly remaining: number
  readonly exceeded: boolean
  readonly endsInMs: number
}

export const toAllowance = (limit: number, { hits, endsInMs }: Counted): Allowance => ({
  limit,
  remaining: Math.max(0, limit - hits),
  exceeded: hits > limit,
  endsInMs,
})

export function rateLimitHeaders(allowance: Allowance): Record<string, string> {
  return { 'x-ratelimit-limit': String(allowance.limit), 'x-ratelimit-remaining': String(allowance.remaining) }
}

interface CountRequest {
  readonly token: string | undefined
  readonly address: string
  readonly limit: number
}

/** A request counts under its token, or under its address without a valid one. */
const toKey = (caller: Caller | undefined, address: string) =>
  caller === undefined ? address : `token:${caller.tokenId}`

export type CountCaller = (counting: CountRequest) => Promise<Counted & { readonly caller: Caller | undefined }>

/** One process owns a SQLite database and counts alone. On PostgreSQL all nodes count together. */
export const countCallers = (app: App): CountCaller =>
  app.store.dialect === 'postgres' ? countAcrossNodes(app) : countInProcess(app)

function countInProcess(app: App): CountCaller {
  // Separate, so that a flood of new addresses cannot evict the windows of tokens.
  const tokens = rateWindows(app.clock.elapsedMs)
  const addresses = rateWindows(app.clock.elapsedMs)
  return async ({ token, address }) => {
    const caller = token === undefined ? undefined : await findCaller(app, token)
    const counted = (caller === undefined ? addresses : tokens).hit(toKey(caller, address))
    return { caller, ...counted }
  }
}

const maxRefused = 10_000

/** An address over the limit stays blocked until its window ends, without further queries. */
function countAcrossNodes(app: App): CountCaller {
  const refused = new Map<string, { hits: number; untilMs: number }>()
  return async ({ token, address, limit }) => {
    const refusal = token === undefined ? refused.get(address) : undefined
    const now = app.clock.elapsedMs()
    if (refusal !== undefined && refusal.hits > limit && refusal.untilMs > now && refusal.untilMs <= now + 60_000)
      return { caller: undefined, hits: refusal.hits, endsInMs: refusal.untilMs - now }
    const caller = token === undefined ? undefined : await findCaller(app, token)
    const counted = await countRequest(app, toKey(caller, address))
    if (token === undefined && counted.hits > limit) {
      if (refused.size >= maxRefused) refused.clear()
      refused.set(address, { hits: counted.hits, untilMs: now + counted.endsInMs })
    }
    return { caller, ...counted }
  }
}
