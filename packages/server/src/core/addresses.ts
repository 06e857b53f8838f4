import { BlockList, isIP } from 'node:net'
import type { Config } from './config.ts'

type NodeEnv = { readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } } } | undefined

/** Finds the address of a request; an in-process request has none. */
export function requestAddress({ trustedProxies }: Pick<Config, 'trustedProxies'>) {
  const addressOf = clientAddress(trustedProxies)
  return (request: Request, env: object | undefined): string =>
    addressOf((env as NodeEnv)?.incoming?.socket?.remoteAddress, request.headers.get('x-forwarded-for')) // set by the adapter
}

/** Finds the client address of a request. `X-Forwarded-For` is used only from a trusted proxy. */
export type AddressOf = (peer: string | undefined, forwardedFor: string | null) => string

export function clientAddress(trustedProxies: readonly string[]): AddressOf {
  const trusted = addressRanges(trustedProxies, 'trustedProxies')
  return (peer, forwardedFor) => {
    const direct = withoutMapping(peer ?? 'in-process')
    if (forwardedFor === null || !trusted.contains(direct)) return direct
    // From the right, the first address that is not a trusted proxy: a trusted proxy has seen it.
    for (const hop of lastHops(forwardedFor)) if (isIP(hop) !== 0 && !trusted.contains(hop)) return hop
    return direct
  }
}

const maxHops = 50

/** The entries from the right. The limit protects against long headers: no client is behind fifty proxies. */
function* lastHops(forwardedFor: string): Generator<string> {
  let end = forwardedFor.length
  for (let hops = 0; hops < maxHops && end >= 0; hops += 1) {
    const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(',', end - 1)
    yield withoutMapping(forwardedFor.slice(comma + 1, end).trim())
    end = comma
  }
}

const withoutMapping = (address: string) => address.replace(/^::ffff:(\d+\.)/i, '$1')

/**
 * The rate-limit key of an address. A client with one IPv6 address usually has a whole /64 (RFC 4291, RFC 6177), so
 * IPv6 is counted by its first 64 bits. IPv4-mapped IPv6 is counted as IPv4.
 */
export function addressKey(address: string): string {
  const plain = address.split('%')[0] ?? ''
  if (isIP(plain) !== 6) return `address:${address}`
  const groups = ipv6Groups(plain)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) return `address:${embeddedIpv4(groups)}`
  return `address:${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** The eight groups of an IPv6 address. URL normalizes it to hexadecimal with the longest run of zeros compressed. */
export function ipv6Groups(address: string): readonly number[] {
  const [before = [], after] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))))
  if (after === undefined) return before
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}

/** The IPv4 address in the last 32 bits. */
export const embeddedIpv4 = (groups: readonly number[]): string =>
  groups
    .slice(-2)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')

export interface AddressRanges {
  /** False for text that is not an address. */
  contains(address: string): boolean
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Throws a TypeError that names the setting if an entry is neither an address nor a range. */
export function addressRanges(entries: readonly string[], setting: string): AddressRanges {
  const list = new BlockList()
  for (const entry of entries) if (!add(list, entry)) throw notARange(setting, entry)
  return { contains: (address) => isIP(address) !== 0 && list.check(address, familyOf(address)) }
}

const notARange = (setting: string, entry: string) =>
  new TypeError(`${setting} must hold addresses or CIDR ranges; "${entry}" is neither.`)

function add(list: BlockList, entry: string): boolean {
  const [network = '', prefix] = entry.split('/')
  if (isIP(network) === 0) return false
  const family = familyOf(network)
  if (prefix === undefined) list.addAddress(network, family)
  else if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > (family === 'ipv6' ? 128 : 32)) return false
  else list.addSubnet(network, Number(prefix), family)
  return true
}
