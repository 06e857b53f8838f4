import { isIP } from 'node:net'

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
