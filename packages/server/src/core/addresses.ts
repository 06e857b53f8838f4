import { BlockList, isIP } from 'node:net'

type NodeEnv = { readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } } } | undefined

interface ProxyConfig {
  readonly trustedProxies: readonly string[]
}

/** Finds the address of a request; an in-process request has none. */
export function requestAddress({ trustedProxies }: ProxyConfig) {
  const addressOf = clientAddress(trustedProxies)
  return (request: Request, env: object | undefined): string =>
    addressOf((env as NodeEnv)?.incoming?.socket?.remoteAddress, request.headers.get('x-forwarded-for')) // set by the adapter
}

/** Whether a trusted proxy received a request over https. Others may send any `X-Forwarded-Proto`. */
export function forwardsHttps({ trustedProxies }: ProxyConfig) {
  const trusted = addressRanges(trustedProxies)
  return (request: Request, env: object | undefined): boolean => {
    const peer = (env as NodeEnv)?.incoming?.socket?.remoteAddress // as above
    const [scheme = ''] = request.headers.get('x-forwarded-proto')?.split(',') ?? []
    return peer !== undefined && trusted.contains(withoutMapping(peer)) && scheme.trim().toLowerCase() === 'https'
  }
}

/** Finds the client address of a request. `X-Forwarded-For` is used only from a trusted proxy. */
export type AddressOf = (peer: string | undefined, forwardedFor: string | null) => string

export function clientAddress(trustedProxies: readonly string[]): AddressOf {
  const trusted = addressRanges(trustedProxies)
  return (peer, forwardedFor) => {
    const direct = withoutMapping(peer ?? 'in-process')
    if (forwardedFor === null || !trusted.contains(direct)) return direct
    // From the right, the first address that is not a trusted proxy: a trusted proxy has seen it. What stands to the
    // left of an unreadable entry may be invented by the client.
    for (const hop of lastHops(forwardedFor)) {
      const address = hopAddress(hop)
      if (address === undefined) return direct
      if (!trusted.contains(address)) return address
    }
    return direct
  }
}

const maxHops = 50

/** The entries from the right. The limit protects against long headers: no client is behind fifty proxies. */
function* lastHops(forwardedFor: string): Generator<string> {
  let end = forwardedFor.length
  for (let hops = 0; hops < maxHops && end >= 0; hops += 1) {
    const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(',', end - 1)
    const hop = forwardedFor.slice(comma + 1, end).trim()
    if (hop !== '') yield hop
    end = comma
  }
}

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. Undefined for text without an address. */
function hopAddress(hop: string): string | undefined {
  const [, bracketed, before] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(hop) ?? []
  const [address = ''] = (bracketed ?? before ?? hop).split('%')
  return isIP(address) === 0 ? undefined : withoutMapping(address)
}

/** An IPv4-mapped IPv6 address, in any notation, as the IPv4 address that it is. */
function withoutMapping(address: string): string {
  if (!address.includes(':')) return address
  const groups = isIP(address) === 6 ? ipv6Groups(address.split('%')[0] ?? '') : []
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  return isMapped ? embeddedIpv4(groups) : address
}

/**
 * The rate-limit key of an address. A client with one IPv6 address usually has a whole /64 (RFC 4291, RFC 6177), so
 * IPv6 is counted by its first 64 bits.
 */
export const addressKey = (address: string): string => networkOf(address, 64)

/** The network of a person who signs in. One site may have all of an IPv6 /48 (RFC 6177), so a /64 costs it nothing. */
export const siteKey = (address: string): string => networkOf(address, 48)

function networkOf(address: string, ipv6Bits: 48 | 64): string {
  const plain = address.split('%')[0] ?? ''
  if (isIP(plain) !== 6) return `address:${address}`
  const groups = ipv6Groups(plain)
  return `address:${groups
    .slice(0, ipv6Bits / 16)
    .map((group) => group.toString(16))
    .join(':')}::/${ipv6Bits}`
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

/** The entries are addresses and CIDR ranges. Settings are checked when they are read. */
export function addressRanges(entries: readonly string[]): AddressRanges {
  const list = new BlockList()
  for (const entry of entries) add(list, entry)
  return { contains: (address) => isIP(address) !== 0 && list.check(address, familyOf(address)) }
}

/** Whether the text is an address, in brackets or not, or a CIDR range. */
export const isAddressRange = (entry: string): boolean => add(new BlockList(), entry)

function add(list: BlockList, entry: string): boolean {
  const [network = '', prefix] = entry.replace(/^\[(.*)\]$/, '$1').split('/')
  if (isIP(network) === 0) return false
  const family = familyOf(network)
  if (prefix === undefined) list.addAddress(network, family)
  else if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > (family === 'ipv6' ? 128 : 32)) return false
  else list.addSubnet(network, Number(prefix), family)
  return true
}
