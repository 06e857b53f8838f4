import { BlockList, isIP } from 'node:net'
import type { Config } from './config.ts'

/** What comes with a request over a port. */
type NodeEnv = { readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } } } | undefined

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

/**
 * Under which an address is counted. Whoever has one IPv6 address has at least the 2^64 of its network (RFC 4291, RFC 6177),
 * so IPv6 counts by its first 64 bits; IPv4 that is written as IPv6 counts as what it is.
 */
export function addressKey(address: string): string {
  const plain = address.split('%')[0] ?? ''
  if (isIP(plain) !== 6) return `address:${address}`
  const groups = groupsOf(plain)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) return `address:${bytesOf(groups[6]).concat(bytesOf(groups[7])).join('.')}`
  return `address:${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

const bytesOf = (group = 0): number[] => [group >> 8, group & 0xff]

/** The eight numbers of an address that is known to be IPv6. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const before = numbersOf(head)
  if (tail === undefined) return before
  const after = numbersOf(tail)
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}

function numbersOf(part: string): number[] {
  if (part === '') return []
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}

/** Addresses and CIDR ranges such as `10.20.0.0/16`. */
export interface AddressRanges {
  /** What is not an address is in no range. */
  contains(address: string): boolean
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Throws a TypeError that names the setting when an entry is neither an address nor a range. */
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
