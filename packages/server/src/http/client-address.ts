import { isIP } from 'node:net'
import { addressRanges } from '../core/address-ranges.ts'
import type { Config } from '../core/config.ts'

/** What comes with a request over a port. */
export type NodeEnv = { readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } } } | undefined

/** The address of a request, which has none of its own when it was asked in the process. */
export function requestAddress({ trustedProxies }: Pick<Config, 'trustedProxies'>) {
  const addressOf = clientAddress(trustedProxies)
  return (request: Request, env: object | undefined): string =>
    addressOf((env as NodeEnv)?.incoming?.socket?.remoteAddress, request.headers.get('x-forwarded-for')) // the adapter's own environment
}

/** Finds the address that a request came from; a proxy's word is taken only from a trusted proxy. */
export type AddressOf = (peer: string | undefined, forwardedFor: string | null) => string

export function clientAddress(trustedProxies: readonly string[]): AddressOf {
  const trusted = addressRanges(trustedProxies, 'trustedProxies')
  return (peer, forwardedFor) => {
    const direct = withoutMapping(peer ?? 'in-process')
    if (forwardedFor === null || !trusted.contains(direct)) return direct
    // From the right: the last address that no trusted proxy has, which is the one that a trusted proxy saw.
    for (const hop of lastHops(forwardedFor)) if (isIP(hop) !== 0 && !trusted.contains(hop)) return hop
    return direct
  }
}

const mostHops = 50

/** The entries from the right. Nobody stands behind fifty proxies, and whoever writes more of them wants to cost time. */
function* lastHops(forwardedFor: string): Generator<string> {
  let end = forwardedFor.length
  for (let hops = 0; hops < mostHops && end >= 0; hops += 1) {
    const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(',', end - 1)
    yield withoutMapping(forwardedFor.slice(comma + 1, end).trim())
    end = comma
  }
}

const withoutMapping = (address: string) => address.replace(/^::ffff:(\d+\.)/i, '$1')
