import type { App } from '../core/context.ts'
import { type CountedCaller, findCaller, findCallerAndCount } from '../modules/tokens/service.ts'
import { rateWindows } from './rate-windows.ts'

export interface Counting {
  readonly token: string | undefined
  /** The key of the address, for a request without a valid token. */
  readonly address: string
  readonly limit: number
}

/** Finds a request's caller and counts the request. */
export type CountCaller = (counting: Counting) => Promise<CountedCaller>

/** One process owns a SQLite database and counts by itself; on PostgreSQL all nodes count together. */
export const countCallers = (app: App): CountCaller =>
  app.store.dialect === 'postgres' ? countTogether(app) : countHere(app)

function countHere(app: App): CountCaller {
  // Apart, so that ever new addresses cannot push out the windows of tokens.
  const tokens = rateWindows(app.clock.elapsedMs)
  const addresses = rateWindows(app.clock.elapsedMs)
  return async ({ token, address }) => {
    const caller = token === undefined ? undefined : await findCaller(app, token)
    const counted = caller === undefined ? addresses.hit(address) : tokens.hit(`token:${caller.tokenId}`)
    return { caller, ...counted }
  }
}

const mostRefused = 10_000

/** An address that is over the limit stays so until its window ends: the database is not asked about it again. */
function countTogether(app: App): CountCaller {
  const refused = new Map<string, { hits: number; untilMs: number }>()
  return async ({ token, address, limit }) => {
    const known = token === undefined ? refused.get(address) : undefined
    const now = app.clock.elapsedMs()
    if (known !== undefined && known.hits > limit && known.untilMs > now && known.untilMs <= now + 60_000)
      return { caller: undefined, hits: known.hits, endsInMs: known.untilMs - now }
    const counted = await findCallerAndCount(app, { token, address })
    if (token === undefined && counted.hits > limit) {
      if (refused.size >= mostRefused) refused.clear()
      refused.set(address, { hits: counted.hits, untilMs: now + counted.endsInMs })
    }
    return counted
  }
}
