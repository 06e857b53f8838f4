import { lookup as systemLookup } from 'node:dns'
import { isIP } from 'node:net'
import { addressRanges } from '../../core/address-ranges.ts'
import { carriedV4, isPublicAddress, withoutZone } from './public-address.ts'

// Subscribers choose their URL, so a URL may try to reach what only the server can reach. Whether an address may be
// contacted is asked when it is dialled, and it is the very address that is dialled: a look beforehand would be answered
// differently a moment later (DNS rebinding). What the text of a URL tells by itself is said when the URL is set.

/** The addresses of a host name. Tests put their own in its place. */
export type Lookup = (hostname: string, answer: (fault: Error | null, addresses: readonly Address[]) => void) => void

export interface Address {
  readonly address: string
  readonly family: number
}

/** Which addresses may be contacted. */
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
