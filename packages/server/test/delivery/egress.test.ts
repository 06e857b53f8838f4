import { isIP } from 'node:net'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createEgress, isPublicAddress, type Lookup } from '../../src/delivery/egress.ts'
import { createServer } from '../../src/index.ts'
import { createStorage } from '../on-every-store.ts'
import { newestDelivery } from './newest-delivery.ts'
import { startReceiver } from './receiver.ts'
import { sendingOptions, subscribe } from './subscribed.ts'

/** The purpose of each range, and addresses at its edges and inside it. */
const refused = [
  ['this network', '0.0.0.0', '0.255.255.255'],
  ['private', '10.0.0.0', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  ['carrier-grade NAT', '100.64.0.1', '100.100.100.200', '100.127.255.255'],
  ['loopback', '127.0.0.1', '127.255.255.255', '::1'],
  ['link-local and metadata', '169.254.0.1', '169.254.169.254', '169.254.170.2', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  ['metadata elsewhere', '168.63.129.16', 'fd00:ec2::254', '192.0.0.192'],
  [
    'protocol assignments and documentation',
    '192.0.0.1',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '2001:db8::1',
    '3fff::1',
  ],
  ['benchmarks', '198.18.0.1', '198.19.255.255', '2001:2::1'],
  ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1'],
  ['class E and broadcast', '240.0.0.1', '255.255.255.255'],
  ['6to4 relays', '192.88.99.1'],
  ['unspecified and IPv4-compatible', '::', '::127.0.0.1', '::10.0.0.1', '::8.8.8.8'],
  ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:7f00:1', '::FFFF:10.0.0.1', '0:0:0:0:0:ffff:a9fe:a9fe'],
  ['IPv4-translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1'],
  ['6to4', '2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:808:808::'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001::1'],
  ['ORCHID', '2001:10::1', '2001:20::1'],
  ['unique local and site-local', 'fc00::1', 'fdff:ffff::1', 'fec0::1'],
  ['discard and segment routing', '100::1', '5f00::1'],
] as const

test.each(refused.map(([range, ...addresses]) => ({ range, addresses })))(
  'addresses of $range are refused',
  ({ addresses }) => {
    for (const address of addresses) expect(isPublicAddress(address), address).toBe(false)
  },
)

test('public addresses are allowed, also mapped and through NAT64', () => {
  const open = [
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '169.253.255.255',
    '223.255.255.255',
  ]
  const open6 = ['2606:4700:4700::1111', '2a00:1450:4001:80b::200e', '::ffff:8.8.8.8', '64:ff9b::808:808', '2003::1']
  for (const address of [...open, ...open6]) expect(isPublicAddress(address), address).toBe(true)
})

test('text that is not an address is refused', async () => {
  await fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(isIP(text) === 0)
      expect(isPublicAddress(text)).toBe(false)
    }),
  )
})

const byte = fc.integer({ min: 0, max: 255 })
const privateV4 = fc.oneof(
  fc.tuple(fc.constantFrom(0, 10, 127, 224, 239, 240, 255), byte, byte, byte),
  fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
)
type Octets = [number, number, number, number]
const hex = (value: number) => value.toString(16)
const toNumber = ([a, b, c, d]: Octets) => ((a * 256 + b) * 256 + c) * 256 + d

/** Every notation of an IPv4 address in a URL, and every IPv6 address that embeds one. */
const notations: readonly ((octets: Octets) => string)[] = [
  (octets) => octets.join('.'),
  (octets) => `${octets.join('.')}.`,
  (octets) => String(toNumber(octets)),
  (octets) => `0x${hex(toNumber(octets))}`,
  (octets) => octets.map((octet) => `0${octet.toString(8)}`).join('.'),
  (octets) => octets.map((octet) => `0x${hex(octet)}`).join('.'),
  ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  ([a, b, c, d]) => `${a}.${(b * 256 + c) * 256 + d}`,
  (octets) =>
    octets
      .map((octet) => [...String(octet)].map((digit) => String.fromCharCode(0xff10 + Number(digit))).join(''))
      .join('。'),
  (octets) => `[::ffff:${octets.join('.')}]`,
  ([a, b, c, d]) => `[::ffff:${hex(a * 256 + b)}:${hex(c * 256 + d)}]`,
  ([a, b, c, d]) => `[0:0:0:0:0:FFFF:${hex(a * 256 + b)}:${hex(c * 256 + d)}]`,
  (octets) => `[::${octets.join('.')}]`,
  (octets) => `[64:ff9b::${octets.join('.')}]`,
  ([a, b, c, d]) => `[2002:${hex(a * 256 + b)}:${hex(c * 256 + d)}::1]`,
  ([a, b, c, d]) => `[2001:0:4136:e378:8000:63bf:${hex(0xffff - (a * 256 + b))}:${hex(0xffff - (c * 256 + d))}]`,
]

test('a private address is refused in every notation that a URL allows', async () => {
  const egress = createEgress([])
  await fc.assert(
    fc.property(privateV4, fc.constantFrom(...notations), (octets, notation) => {
      const { hostname } = new URL(`http://${notation(octets)}/`)
      const literal = hostname.replace(/^\[|\]$/g, '')
      expect(egress.findRefusal(literal, literal)?.message).toContain('SERVICE_EGRESS_ALLOW')
      expect(egress.isPrivate(hostname)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('the allow-list accepts only names, addresses, and ranges', () => {
  const { findRefusal } = createEgress(['Hooks.Internal', '10.20.0.0/16', '192.168.1.7', 'fd00:1::/32', '[::1]'])
  expect(findRefusal('hooks.internal', '10.9.9.9')).toBeUndefined()
  expect(findRefusal('other.internal', '10.20.255.1')).toBeUndefined()
  expect(findRefusal('other.internal', '::ffff:10.20.255.1')).toBeUndefined()
  expect(findRefusal('x', '192.168.1.7')).toBeUndefined()
  expect(findRefusal('x', 'fd00:1::9')).toBeUndefined()
  expect(findRefusal('::1', '::1')).toBeUndefined()
  for (const address of ['10.21.0.1', '192.168.1.8', 'fd00:2::1', '127.0.0.1'])
    expect(findRefusal('other.internal', address)?.code, address).toBe('EGRESS')
})

const everyAddress = (...answers: readonly (readonly string[])[]): Lookup & { asked: number } => {
  const lookup = Object.assign(
    ((_, answer) => {
      const addresses = answers[Math.min(lookup.asked, answers.length - 1)] ?? []
      lookup.asked += 1
      answer(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    }) as Lookup, // the counter joins it in the same expression
    { asked: 0 },
  )
  return lookup
}

async function sendThrough({ lookup, egressAllow = [] }: { lookup: Lookup; egressAllow?: string[] }) {
  await using server = await createServer({
    ...sendingOptions(),
    egressAllow,
    lookup,
  })
  const receiver = await startReceiver()
  const { port } = new URL(receiver.url)
  const { workspace, subscription, createTicket } = await subscribe(server, {
    url: `http://rebind.example:${port}/hook`,
  })
  receiver.expects(subscription)
  await createTicket('A')
  await server.deliveries.runDue()
  const { log } = await newestDelivery(server, workspace)
  return { receiver, attempt: log[0] }
}

/** A server that allowed the address created the subscription; the next one does not allow it. */
test('a receiver at an address that is no longer allowed gets no connection, and the log names the setting', async () => {
  const { options, remove } = await createStorage('sqlite')
  onTestFinished(remove)
  const place = { ...sendingOptions(), ...options }
  const before = await createServer(place)
  const { workspace, receiver } = await subscribe(before)
  await before.close()
  await using server = await createServer({ ...place, egressAllow: [] })
  await server.admin.tickets.create({ workspace: workspace.id }, { title: 'A' })
  await server.deliveries.runDue()
  const { log } = await newestDelivery(server, workspace)
  expect(receiver.connections()).toBe(0)
  expect(log[0]).toMatchObject({ outcome: 'blocked', status: null, error: expect.stringContaining('egressAllow') })
})

test('a name that resolves to loopback gets no connection, whatever it resolved to before', async () => {
  const lookup = everyAddress(['127.0.0.1'])
  const { receiver, attempt } = await sendThrough({ lookup })
  expect(receiver.connections()).toBe(0)
  expect(lookup.asked).toBe(1)
  expect(attempt).toMatchObject({
    outcome: 'blocked',
    error: expect.stringContaining('rebind.example (127.0.0.1) is not on the public internet'),
  })
})

test('a name is resolved once per connection, and exactly the checked address is dialed', async () => {
  // The second lookup returns a private address. A check before dialing would have seen only the first.
  const lookup = everyAddress(['203.0.113.9'], ['127.0.0.1'])
  const { receiver, attempt } = await sendThrough({ lookup })
  expect(receiver.connections()).toBe(0)
  expect(lookup.asked).toBe(1)
  expect(attempt?.outcome).toBe('blocked')
})

test('of several addresses only the permitted ones are dialed', async () => {
  const { receiver, attempt } = await sendThrough({
    lookup: everyAddress(['10.0.0.1', '127.0.0.1']),
    egressAllow: ['127.0.0.1'],
  })
  expect(receiver.received).toHaveLength(1)
  expect(attempt).toMatchObject({ outcome: 'ok', ip: '127.0.0.1' })
})
