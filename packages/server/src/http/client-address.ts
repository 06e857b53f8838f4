import { BlockList, isIP } from 'node:net'

/** Finds the address that a request came from; a proxy's word is taken only from a trusted proxy. */
export type AddressOf = (peer: string | undefined, forwardedFor: string | null) => string

export function clientAddress(trustedProxies: readonly string[]): AddressOf {
  const trusted = toBlockList(trustedProxies)
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return (peer, forwardedFor) => {
    const direct = withoutMapping(peer ?? 'in-process')
    if (forwardedFor === null || isIP(direct) === 0 || !isTrusted(direct)) return direct
    // From the right: the last address that no trusted proxy has, which is the one that a trusted proxy saw.
    const hops = forwardedFor
      .split(',')
      .map((hop) => withoutMapping(hop.trim()))
      .reverse()
    return hops.find((hop) => isIP(hop) !== 0 && !isTrusted(hop)) ?? direct
  }
}

const withoutMapping = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '')

function toBlockList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(address) === 0)
      throw new TypeError(`trustedProxies must hold addresses or CIDR ranges; "${entry}" is neither.`)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}
