import type { Fault } from './fault.ts'

export const faultHeader = 'x-service-fault'

const readers: Readonly<Record<string, (value: string) => Partial<Fault>>> = {
  status: (value) => ({ respond: { status: Number(value) } }),
  'retry-after': (value) => ({ respond: { retryAfterSeconds: Number(value) } }),
  latency: (value) => ({ latency: /^\d+$/.test(value) ? Number(value) : value }),
  when: (value) => ({ when: value as Fault['when'] }), // checked like any other fault
  damage: (value) => ({ damage: value as Fault['damage'] }),
  'bytes-per-second': (value) => ({ bytesPerSecond: Number(value) }),
  connection: (value) => ({ connection: value as Fault['connection'] }),
}

/** `status=503; latency=200; when=after` as a fault. Throws a TypeError where it is none. */
export function readFaultHeader(header: string): Fault {
  const fault: Record<string, unknown> = {}
  for (const part of header.split(';').filter((each) => each.trim() !== '')) {
    const [name = '', value = ''] = part.split('=').map((each) => each.trim())
    const read = readers[name.toLowerCase()]
    if (read === undefined) {
      throw new TypeError(`${faultHeader} has no \`${name}\`; it has ${Object.keys(readers).join(', ')}.`)
    }
    for (const [option, given] of Object.entries(read(value))) {
      fault[option] = typeof given === 'object' ? { ...(fault[option] ?? {}), ...given } : given
    }
  }
  return fault
}
