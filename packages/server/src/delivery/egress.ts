import { lookup as systemLookup } from 'node:dns'
import { isIP } from 'node:net'
import { addressRanges, embeddedIpv4, ipv6Groups } from '../core/addresses.ts'

// Subscribers choose their URL, so it may point at addresses that only the server can reach. The address is checked
// when it is dialed, and exactly that address is dialed: an earlier check is open to DNS rebinding. URLs that are
// visibly private are already rejected when they are set.

/** Resolves a host name. Tests replace it. */
export type Lookup = (hostname: string, answer: (fault: Error | null, addresses: readonly Address[]) => void) => void

interface Address {
  readonly address: string
  readonly family: number
}

export interface Egress {
  /** The error if the address may not be dialed for this host, else undefined. */
  findRefusal(hostname: string, address: string): EgressError | undefined
  /** Whether the host of a URL is visibly private, without a DNS query. */
  isPrivate(hostname: string): boolean
  /** Resolves a host name to those of its addresses that may be dialed. */
  readonly lookup: Lookup
}

export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly code = 'EGRESS'
  constructor(hostname: string, address: string) {
    const where = hostname === address ? address : `${hostname} (${address})`
    super(
      `The address ${where} is not on the public internet and was not contacted. ` +
        'Allow it with the setting egressAllow (SERVICE_EGRESS_ALLOW).',
    )
  }
}

const dnsLookup: Lookup = (hostname, answer) =>
  systemLookup(hostname, { all: true, order: 'verbatim' }, (fault, addresses) => answer(fault, addresses ?? []))

/** Permits public addresses and the list: host names, addresses, and ranges such as `10.20.0.0/16`. */
export function createEgress(allow: readonly string[], lookup: Lookup = dnsLookup): Egress {
  const entries = allow.map((entry) =>
    entry
      .trim()
      .toLowerCase()
      .replace(/^\[|\]$/g, ''),
  )
  const hosts = new Set(entries.filter((entry) => isIP(networkOf(entry)) === 0))
  const ranges = addressRanges(entries.filter((entry) => isIP(networkOf(entry)) !== 0))
  const isListed = (address: string) => [address, embeddedV4(address) ?? address].some(ranges.contains)
  const findRefusal: Egress['findRefusal'] = (hostname, address) => {
    const plain = withoutZone(address)
    if (isPublicAddress(plain) || hosts.has(hostname.toLowerCase())) return undefined
    return isIP(plain) !== 0 && isListed(plain) ? undefined : new EgressError(hostname, address)
  }
  const isPrivate: Egress['isPrivate'] = (hostname) => {
    const plain = hostname.replace(/^\[|\]$/g, '')
    if (isIP(plain) !== 0) return findRefusal(plain, plain) !== undefined
    if (hosts.has(plain)) return false
    if (loopbackName.test(plain)) return !loopbackAddresses.some(isListed)
    // The name may resolve into an allowed range, which only its address shows.
    return privateName.test(plain) && entries.length === hosts.size
  }
  return {
    findRefusal,
    isPrivate,
    lookup: (hostname, answer) => lookup(hostname, onlyAllowed(hostname, findRefusal, answer)),
  }
}

const loopbackAddresses = ['127.0.0.1', '::1']

/** Names of this machine (RFC 6761), and names that public DNS never resolves (RFC 6762, RFC 8375, ICANN). */
const loopbackName = /(?:^|\.)localhost\.?$/
const privateName = /(?:^|\.)(?:local|internal|home\.arpa)\.?$/

const networkOf = (entry: string) => entry.split('/')[0] ?? ''

/** Passes on the permitted addresses. If there are none, fails with the reason of the first. */
function onlyAllowed(
  hostname: string,
  findRefusal: Egress['findRefusal'],
  answer: Parameters<Lookup>[1],
): Parameters<Lookup>[1] {
  return (fault, addresses) => {
    if (fault !== null) return answer(fault, [])
    const allowed = addresses.filter(({ address }) => findRefusal(hostname, address) === undefined)
    const [first] = addresses
    if (allowed.length > 0) return answer(null, allowed)
    return answer(first === undefined ? noAddress(hostname) : (findRefusal(hostname, first.address) ?? null), [])
  }
}

const noAddress = (hostname: string) => Object.assign(new Error(`${hostname} has no address.`), { code: 'ENOTFOUND' })

// Public internet addresses. IPv4 is public except for a list. Of IPv6 only 2000::/3 is allocated (RFC 4291), so
// everything outside it is refused. Sources: the IANA special-purpose registries, and cloud metadata addresses
// that those do not cover.

const refusedV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT, and metadata at one cloud
  '127.0.0.0/8',
  '168.63.129.16/32', // a cloud's host agent, on a public address
  '169.254.0.0/16', // link-local, with most clouds' metadata
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // class E, and broadcast
]

/** Inside 2000::/3, but not public. */
const refusedV6 = [
  '2001::/23', // Teredo, ORCHID, benchmarks: may embed an IPv4 address
  '2001:db8::/32',
  '2002::/16', // 6to4: embeds an IPv4 address
  '2620:4f:8000::/48',
  '3fff::/20',
]

/** Prefixes of IPv6 addresses that embed an IPv4 address in the last 32 bits, which decides. */
const embeddingPrefixes = ['::ffff:0:0/96', '64:ff9b::/96']

const makeRanges = () => ({
  refused: addressRanges([...refusedV4, ...refusedV6]),
  allocated: addressRanges(['2000::/3']),
  embedding: addressRanges(embeddingPrefixes),
})
let cachedRanges: ReturnType<typeof makeRanges> | undefined

function ranges() {
  cachedRanges ??= makeRanges()
  return cachedRanges
}

/** Whether an address is on the public internet. Text that is not an address is not. */
export function isPublicAddress(address: string): boolean {
  const plain = withoutZone(address)
  const { refused, allocated } = ranges()
  if (isIP(plain) === 4) return !refused.contains(plain)
  if (isIP(plain) !== 6) return false
  const inside = embeddedV4(plain)
  if (inside !== undefined) return isPublicAddress(inside)
  return allocated.contains(plain) && !refused.contains(plain)
}

/** `fe80::1%eth0` → `fe80::1` */
const withoutZone = (address: string) => address.split('%', 1)[0] ?? ''

/** The IPv4 address embedded in a mapped (::ffff:a.b.c.d) or translated (64:ff9b::a.b.c.d, NAT64) address. */
function embeddedV4(address: string): string | undefined {
  if (isIP(address) !== 6 || !ranges().embedding.contains(address)) return undefined
  return embeddedIpv4(ipv6Groups(address))
}
