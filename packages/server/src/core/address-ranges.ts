import { BlockList, isIP } from 'node:net'

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
