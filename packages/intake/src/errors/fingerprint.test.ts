import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fingerprint } from './fingerprint.ts'
import { toFrame } from './frame.ts'
import { messageRules } from './message-rules.ts'
import { normalizeMessage } from './normalize-message.ts'
import { normalizePath } from './normalize-path.ts'
import { type RecordDraft, toRecord } from './record.ts'

const keyOf = (found: RecordDraft) => fingerprint(toRecord(found))
const keysOf = (reports: readonly RecordDraft[]) => new Set(reports.map(keyOf)).size

const pad = (n: number) => String(n).padStart(2, '0')
const instant = fc.record({
  year: fc.integer({ min: 1990, max: 2040 }),
  month: fc.integer({ min: 1, max: 12 }),
  day: fc.integer({ min: 1, max: 28 }),
  hour: fc.integer({ min: 0, max: 23 }),
  minute: fc.integer({ min: 0, max: 59 }),
  second: fc.integer({ min: 0, max: 59 }),
})

const utc = instant.map((i) => new Date(Date.UTC(i.year, i.month - 1, i.day, i.hour, i.minute, i.second)))

/** The differences between two reports of one error. */
const happened = {
  number: fc
    .oneof(fc.integer(), fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.double({ noNaN: true, noDefaultInfinity: true }))
    .map(String),
  uuid: fc.uuid(),
  hexadecimal: fc.oneof(
    fc.integer({ min: 0, max: 2 ** 31 }).map((n) => `0x${n.toString(16)}`),
    fc.uint8Array({ minLength: 4, maxLength: 32 }).map((octets) => Buffer.from(octets).toString('hex')),
  ),
  date: fc.oneof(
    utc.map((date) => date.toISOString()),
    utc.map((date) => date.toISOString().slice(0, 19).replace('T', ' ')),
    utc.map((date) => date.toISOString().slice(0, 10)),
    utc.map((date) => date.toUTCString()),
    instant.map((i) => `${pad(i.day)}/${pad(i.month)}/${i.year} ${pad(i.hour)}:${pad(i.minute)}`),
    instant.map((i) => `${(i.hour % 12) + 1}:${pad(i.minute)} PM`),
  ),
  duration: fc
    .tuple(fc.integer({ min: 0, max: 100_000 }), fc.constantFrom('ms', ' ms', 's', ' seconds', 'min', ' h'))
    .map(([n, unit]) => `${n}${unit}`),
  address: fc.oneof(
    fc.ipV4(),
    fc.ipV6().filter((address) => /\d/.test(address) && !/\./.test(address)),
  ),
  'e-mail': fc
    .tuple(fc.stringMatching(/^[a-z]{1,12}$/), fc.domain())
    .map(([name, domain]) => `${name}@${domain.toLowerCase()}`),
  url: fc.webUrl({ withQueryParameters: true }).filter((url) => !/['"<>`)\]}]|[,;]$/.test(url)),
  host: fc.stringMatching(/^[a-z]{1,8}(-[a-z0-9]{1,8})?\.[a-z]{2,10}\.(com|net|internal|local)$/),
  'value after =': fc.stringMatching(/^[a-z ]{0,20}$/).map((value) => `name='${value}'`),
}

describe('the key of an error', () => {
  for (const [thing, arbitrary] of Object.entries(happened)) {
    it(`does not depend on the ${thing} in a message`, () => {
      fc.assert(
        fc.property(arbitrary, arbitrary, (first, second) => {
          const [a, b] = [first, second].map((value) =>
            keyOf({ exception: 'Error', message: `Cannot load ${value} from the store` }),
          )
          expect(normalizeMessage(`Cannot load ${first} from the store`)).toBe(
            normalizeMessage(`Cannot load ${second} from the store`),
          )
          expect(a).toBe(b)
        }),
        { numRuns: 200 },
      )
    })
  }

  it('is the same for a thousand messages that differ in ids, numbers, dates, and addresses', () => {
    const anything = fc.tuple(fc.integer(), fc.uuid(), happened.hexadecimal, utc, fc.ipV4())
    const messages = fc
      .sample(anything, 1_000)
      .map(
        ([number, uuid, hex, date, ip]) =>
          `Order ${number} of ${uuid} (${hex}) failed at ${date.toISOString()} on ${ip}:8080`,
      )
    expect(new Set(messages).size).toBe(1_000)
    expect(keysOf(messages.map((message) => ({ exception: 'Error', message, file: 'a.js', app: 'shop' })))).toBe(1)
  })

  it('depends on the application, the class, the words, and the file', () => {
    const base = { app: 'shop', exception: 'Error', message: 'no cart', file: 'src/cart.js' }
    const others = [
      { app: 'mail' },
      { exception: 'TypeError' },
      { message: 'no user' },
      { file: 'src/user.js' },
      { app: null },
    ]
    expect(keysOf([base, ...others.map((other) => ({ ...base, ...other }))])).toBe(6)
  })

  it('does not depend on the line, the environment, the method, the severity, or the status', () => {
    const base = { message: 'no cart', file: 'src/cart.js', line: 3, environment: 'production' }
    const others = [{ line: 4 }, { environment: 'staging' }, { method: 'POST' }, { severity: 'fatal' }, { status: 500 }]
    expect(keysOf([base, ...others.map((other) => ({ ...base, ...other }))])).toBe(1)
  })

  it('uses the application’s file if the error was thrown in a library', () => {
    const library = (name: string) => toFrame({ file: `/srv/node_modules/${name}/index.js`, line: 1 })
    const own = toFrame({ file: '/srv/src/cart.js', line: 3 })
    expect(keysOf([{ frames: [library('a'), own] }, { frames: [library('b'), own] }])).toBe(1)
  })

  it('is the client’s grouping per application, with the default grouping where the client includes it', () => {
    const asked = { fingerprint: ['pay'], message: 'no cart', app: 'shop' }
    expect(keysOf([asked, { ...asked, message: 'other', exception: 'Error' }])).toBe(1)
    expect(keysOf([asked, { ...asked, app: 'mail' }])).toBe(2)
    const plain = { message: 'no cart', app: 'shop' }
    expect(
      keysOf([plain, { ...plain, fingerprint: ['{{ default }}'] }, { ...plain, fingerprint: '{{default}}' }]),
    ).toBe(1)
    const extended = { ...plain, fingerprint: ['{{ default }}', 'pay'] }
    expect(keysOf([plain, extended, { ...extended, message: 'other' }])).toBe(3)
  })

  it('depends on the location for reports without words', () => {
    const at = (url: string) => ({ status: 500, method: 'GET', url })
    expect(keysOf([at('https://a.example/pay/1?x=1'), at('https://b.example/pay/2')])).toBe(1)
    expect(keysOf([at('/pay'), at('/cart'), { ...at('/pay'), status: 502 }])).toBe(3)
  })

  it('is 64 hexadecimal digits for any report', () => {
    fc.assert(
      fc.property(
        fc.record({ message: fc.string({ unit: 'binary' }), exception: fc.string(), file: fc.string() }),
        (found) => {
          expect(keyOf(found)).toMatch(/^[0-9a-f]{64}$/)
        },
      ),
    )
  })
})

describe('a normalized message', () => {
  it('keeps the words, names, and quoted identifiers that distinguish errors', () => {
    const recorded = [
      "Cannot read properties of null (reading 'map')",
      "Table 'carts' doesn't exist",
      'x is not defined',
      'pattern.test is not a function',
      'java.lang.NullPointerException: no',
      'Foo::Bar is missing',
      'user.name is not a function',
      'Cannot add face to bad cafe',
      'May fail on second try',
    ]
    expect(recorded.map(normalizeMessage)).toEqual(recorded)
  })

  it('has the first two lines that are not blank', () => {
    expect(normalizeMessage('\n  one\n\n two \nthree')).toBe('one\ntwo')
  })

  it('keeps the letters and replaces the digits of a word with both', () => {
    expect(normalizeMessage('utf8 in api1 for ORD-000123 and ord_9f8A7bC2xQ')).toBe('utf# in api# for ORD-# and ord_#')
  })
})

describe('a normalized path', () => {
  it('does not change with a deploy', () => {
    const same = [
      ['/srv/releases/20261120191624/app/Cart.php', '/srv/releases/20261121070000/app/Cart.php'],
      ['/var/www/releases/v12/app/Cart.php', '/var/www/releases/v13/app/Cart.php'],
      ['/tmp/build_1f2e3d4c5b6a/app/cart.rb', '/tmp/build_ffffeeee0000/app/cart.rb'],
      ['https://a.example/static/js/main.3f2a9b1c.js', 'https://b.example/static/js/main.9c8b7a6f.js?v=2'],
      ['https://a.example/assets/index-BX12ab9c.js', 'https://a.example/assets/index-Qw98zz_1.js'],
      ['/static/js/821.4f5e6d7c.chunk.js', '/static/js/822.ffe1d2c3.chunk.js'],
      ['webpack:///./src/cart.js', 'webpack-internal:///./src/cart.js'],
      ['C:\\inetpub\\shop\\Cart.cs', 'd:/inetpub/shop/Cart.cs'],
      ['/gems/pg-1.5.4/lib/pg.rb', '/gems/pg-1.6.0/lib/pg.rb'],
      ['file:///srv/cart.js', '/srv/cart.js'],
      ['[PROJECT_ROOT]/app/cart.rb', './app/cart.rb'],
    ] as const
    for (const [first, second] of same) expect(normalizePath(first), first).toBe(normalizePath(second))
  })

  it('keeps names that people choose', () => {
    for (const path of [
      'src/cart.js',
      'app/Http/UserController.php',
      'src/user-controller.js',
      'src/v2/cart2.ts',
      'a.php',
      'b.php',
    ]) {
      expect(normalizePath(path)).toBe(path)
    }
  })
})

describe('the grouping rules', () => {
  for (const { name, example } of messageRules) {
    it(`match their example: ${name}`, () => {
      const [before, after] = example
      expect(normalizeMessage(before)).toBe(after)
      expect(normalizeMessage(after)).toBe(after)
    })
  }

  const apart = [
    ['Request failed with status code 404', 'Request failed with status code 500'],
    ['getaddrinfo ENOTFOUND db.internal', 'getaddrinfo ENOTFOUND mail.internal'],
    ['HTTP 502 from the bank', 'HTTP 504 from the bank'],
    ['SQLSTATE[23000]: no', 'SQLSTATE[42000]: no'],
    ['the worker exited with 137', 'the worker exited with 1'],
    ['could not resolve host: db.shop.example', 'could not resolve host: mail.shop.example'],
    ['status=500 of the bank', 'status=404 of the bank'],
    ['ORA-00942', 'ORA-01017'],
    ['error TS2322: no', 'error TS2345: no'],
    ['Error E1001', 'Error E2002'],
    ['error code: ERR42', 'error code: ERR43'],
    ['no IPv4 address', 'no IPv6 address'],
    ['Error code 0x80070005', 'Error code 0x80004005'],
    ['Minified error #418', 'Minified error #301'],
    ['{"error":"invalid_grant"}', '{"error":"invalid_client"}'],
  ] as const
  it.each(apart)('separate: %s', (first, second) => {
    expect(normalizeMessage(first)).not.toBe(normalizeMessage(second))
  })

  const together = [
    ['no answer to req_8sKd92Lm', 'no answer to req_4fGh71Qa'],
    ['no cart abc12345', 'no cart xyz98765'],
    ['no charge ch_3MtwBwLkdIwHu7ix0snN0B15', 'no charge ch_3OaBcDeFgHiJkLmN1oPqRsTu'],
    ['no row 01ARZ3NDEKTSV4RRFFQ69G5FAV', 'no row 01BX5ZZKBKACTAV9WEVGEMMVRZ'],
    ['no row cjld2cjxh0000qzrmn831i7rn', 'no row ckm3v1a2b0001xyz9qwerty12'],
    ['no row V1StGXR8_Z5jdHi6B-myT', 'no row bQ7_uKx-Lp2Zr9TnVw3aE'],
    ['connect ECONNREFUSED 10.0.0.7:5432', 'connect ECONNREFUSED 10.0.0.8:5432'],
    ['no customer cus_NffrFeUfNV2Hib', 'no customer cus_9s6XKzkNRiz8i3'],
    ['no trust in eyJhbGciOiJI.eyJzdWIiOiIx.abcDEF123', 'no trust in eyJhbGciOiJS.eyJzdWIiOiI5.zyxWVU987'],
    ['Key (email)=(ann@shop.example) exists', 'Key (email)=(bob) exists'],
    ['Failing row contains (1, null, ann).', 'Failing row contains (22, null, bob lee).'],
    ['no cart in {"id": 7, "name": "ann"}', 'no cart in {"id": 22, "name": "bob lee"}'],
    ['waited 1m30.5s', 'waited 850ms'],
    ['cannot open /tmp/phpA91bQe', 'cannot open /tmp/upload-8f3a/a.png'],
    ['cannot open /home/ann/cart.csv', 'cannot open /home/bob/cart.csv'],
    ['lost shop-7c9f8b6d5-x2xkq', 'lost shop-5d4c7f9b8-9zzlp'],
    ['lost shop-7c9f8b6d5-x2xkq_prod', 'lost shop-5d4c7f9b8-9zzlp_prod'],
    ['lost 00:1B:44:11:3A:B7', 'lost AA:BB:CC:DD:EE:0F'],
    ['the 3rd try failed', 'the 12th try failed'],
    ['[23/Nov/2026:10:30:00 +0000] none answers', '[01/Dec/2026:03:00:09 +0100] none answers'],
  ] as const
  it.each(together)('join: %s', (first, second) => {
    expect(normalizeMessage(first)).toBe(normalizeMessage(second))
  })
})
