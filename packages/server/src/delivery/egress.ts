import { lookup as systemLookup } from 'node:dns'
import { isIP } from 'node:net'
import { addressRanges, carriedIpv4, ipv6Groups } from '../core/addresses.ts'

// Subscribers choose their URL, so a URL may try to reach what only the server can reach. Whether an address may be
// contacted is asked when it is dialled, and it is the very address that is dialled: a look beforehand would be answered
// differently a moment later (DNS rebinding). What the text of a URL tells by itself is said when the URL is set.

/** The addresses of a host name. Tests put their own in its place. */
export type Lookup = (hostname: string, answer: (fault: Error | null, addresses: readonly Address[]) => void) => void

interface Address {
  readonly address: string
  readonly family: number
}

export interface Egress {
  /** Undefined when the address may be dialled for this host, else why not. */
  refusalOf(hostname: string, address: string): EgressError | undefined
  /** Whether the host of a URL leads where nothing may be dialled, as far as that can be told without asking DNS. */
  isPrivate(hostname: string): boolean
  /** Resolves a host name to those of its addresses that may be dialled. */
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

/** Lets through what is public or on the list: host names, addresses and ranges such as `10.20.0.0/16`. */
export function createEgress(allow: readonly string[], lookup: Lookup = dnsLookup): Egress {
  const entries = allow.map((entry) =>
    entry
      .trim()
      .toLowerCase()
      .replace(/^\[|\]$/g, ''),
  )
  const hosts = new Set(entries.filter((entry) => isIP(networkOf(entry)) === 0))
  const ranges = addressRanges(
    entries.filter((entry) => isIP(networkOf(entry)) !== 0),
    'egressAllow',
  )
  const isListed = (address: string) => [address, carriedV4(address) ?? address].some(ranges.contains)
  const refusalOf: Egress['refusalOf'] = (hostname, address) => {
    const plain = withoutZone(address)
    if (isPublicAddress(plain) || hosts.has(hostname.toLowerCase())) return undefined
    return isIP(plain) !== 0 && isListed(plain) ? undefined : new EgressError(hostname, address)
  }
  const isPrivate: Egress['isPrivate'] = (hostname) => {
    const plain = hostname.replace(/^\[|\]$/g, '')
    if (isIP(plain) !== 0) return refusalOf(plain, plain) !== undefined
    if (hosts.has(plain)) return false
    if (loopbackName.test(plain)) return !loopbackAddresses.some(isListed)
    // Such a name may lead into a range that is allowed; only its address tells.
    return insideName.test(plain) && entries.length === hosts.size
  }
  return {
    refusalOf,
    isPrivate,
    lookup: (hostname, answer) => lookup(hostname, onlyAllowed(hostname, refusalOf, answer)),
  }
}

const loopbackAddresses = ['127.0.0.1', '::1']

/** Names that lead to this machine (RFC 6761), and those that no public DNS answers (RFC 6762, RFC 8375, ICANN's own). */
const loopbackName = /(?:^|\.)localhost\.?$/
const insideName = /(?:^|\.)(?:local|internal|home\.arpa)\.?$/

const networkOf = (entry: string) => entry.split('/')[0] ?? ''

/** Gives on the addresses that pass; a name that has none is refused with the reason of its first. */
function onlyAllowed(
  hostname: string,
  refusalOf: Egress['refusalOf'],
  answer: Parameters<Lookup>[1],
): Parameters<Lookup>[1] {
  return (fault, addresses) => {
    if (fault !== null) return answer(fault, [])
    const allowed = addresses.filter(({ address }) => refusalOf(hostname, address) === undefined)
    const [first] = addresses
    if (allowed.length > 0) return answer(null, allowed)
    return answer(first === undefined ? noAddress(hostname) : (refusalOf(hostname, first.address) ?? null), [])
  }
}

const noAddress = (hostname: string) => Object.assign(new Error(`${hostname} has no address.`), { code: 'ENOTFOUND' })

// Which addresses are on the public internet. IPv4 is public except for a list; of IPv6 only 2000::/3 is handed out
// (RFC 4291), so it is the other way round: what is not in there is refused. Lists: the IANA special-purpose registries,
// and the metadata addresses of clouds that lie outside of them.

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

/** Inside 2000::/3, yet leading elsewhere. */
const refusedV6 = [
  '2001::/23', // Teredo, ORCHID, benchmarks: an IPv4 address may be folded in
  '2001:db8::/32',
  '2002::/16', // 6to4: the IPv4 address is folded in
  '2620:4f:8000::/48',
  '3fff::/20',
]

/** An IPv4 address in the last 32 bits; what counts is that one. */
const carriers = ['::ffff:0:0/96', '64:ff9b::/96']

const here = 'This list'
const makeRanges = () => ({
  refused: addressRanges([...refusedV4, ...refusedV6], here),
  handedOut: addressRanges(['2000::/3'], here),
  carrying: addressRanges(carriers, here),
})
let madeRanges: ReturnType<typeof makeRanges> | undefined

function knownRanges() {
  madeRanges ??= makeRanges()
  return madeRanges
}

/** Whether an address is one that anybody may be sent to. What is not an address is not public. */
export function isPublicAddress(address: string): boolean {
  const plain = withoutZone(address)
  const { refused, handedOut } = knownRanges()
  if (isIP(plain) === 4) return !refused.contains(plain)
  if (isIP(plain) !== 6) return false
  const inside = carriedV4(plain)
  if (inside !== undefined) return isPublicAddress(inside)
  return handedOut.contains(plain) && !refused.contains(plain)
}

/** `fe80::1%eth0` → `fe80::1` */
const withoutZone = (address: string) => address.split('%', 1)[0] ?? ''

/** The IPv4 address that a mapped (::ffff:a.b.c.d) or translated (64:ff9b::a.b.c.d, NAT64) address stands for. */
function carriedV4(address: string): string | undefined {
  if (isIP(address) !== 6 || !knownRanges().carrying.contains(address)) return undefined
  return carriedIpv4(ipv6Groups(address))
}
