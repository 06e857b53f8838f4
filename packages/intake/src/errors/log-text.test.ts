import { describe, expect, it } from 'vitest'
import { readErrorReports } from './read-error-reports.ts'
import { toRecord } from './record.ts'

const read = (body: unknown) => {
  const [record] = readErrorReports({ body: new TextEncoder().encode(JSON.stringify(body)), headers: new Headers() })
  const { message, exception, file, line, severity } = record ?? toRecord({})
  return { message, exception, file, line, severity }
}

const nothing = { message: null, exception: null, file: null, line: null, severity: null }

const lines = [
  [
    'an uncaught exception of PHP with its stack',
    'PHP Fatal error:  Uncaught RuntimeException: no cart in /srv/src/Cart.php:12\nStack trace:\n#0 /srv/index.php(5): Cart->pay()\n#1 {main}\n  thrown in /srv/src/Cart.php on line 12',
    { message: 'no cart', exception: 'RuntimeException', file: '/srv/src/Cart.php', line: 12 },
  ],
  [
    'an uncaught exception of PHP without a stack',
    'PHP Fatal error:  Uncaught Error: Call to undefined function pay() in /srv/index.php:3',
    { message: 'Call to undefined function pay()', exception: 'Error', file: '/srv/index.php', line: 3 },
  ],
  [
    'a fatal error of PHP that is no exception',
    'Fatal error: Allowed memory size of 1024 bytes exhausted in /srv/src/Big.php on line 88',
    { message: 'Allowed memory size of 1024 bytes exhausted', file: '/srv/src/Big.php', line: 88 },
  ],
  [
    "a line of PHP's own log",
    '[20-Nov-2026 10:00:00 UTC] PHP Parse error:  syntax error, unexpected "}" in /srv/a.php on line 9',
    { message: 'syntax error, unexpected "}"', file: '/srv/a.php', line: 9 },
  ],
  [
    'a line of Symfony',
    '[2026-11-20T10:00:00.123456+00:00] request.CRITICAL: Uncaught PHP Exception App\\NoCart: "no cart" at /srv/src/CartController.php line 31 {"exception":"[object] (App\\\\NoCart(code: 0): no cart at /srv/src/CartController.php:31)"} []',
    {
      message: 'no cart',
      exception: 'App\\NoCart',
      file: '/srv/src/CartController.php',
      line: 31,
      severity: 'critical',
    },
  ],
  [
    'a line of Laravel with the stack in its context',
    '[2026-11-20 10:00:00] production.ERROR: no table carts {"exception":"[object] (App\\\\NoTable(code: 7): no table carts at /srv/vendor/db/Connection.php:760)\n[stacktrace]\n#0 /srv/vendor/db/Connection.php(720): run()\n#1 /srv/app/Cart.php(20): load()\n#2 {main}\n"} ',
    { message: 'no table carts', exception: 'App\\NoTable', file: '/srv/app/Cart.php', line: 20, severity: 'error' },
  ],
  [
    'a process of Elixir that exits because of an exception',
    '#PID<0.5.0> running ShopWeb.Endpoint terminated\nServer: localhost:4000 (http)\nRequest: GET /pay\n** (exit) an exception was raised:\n    ** (ArithmeticError) bad argument in arithmetic expression\n        (phoenix 1.7.0) lib/phoenix/router.ex:430: Phoenix.Router.__call__/5\n        (shop 0.1.0) lib/shop/cart.ex:9: Shop.Cart.pay/2\n',
    {
      message: 'bad argument in arithmetic expression',
      exception: 'ArithmeticError',
      file: 'lib/shop/cart.ex',
      line: 9,
    },
  ],
  [
    "klog, as Go's servers print it",
    'E1120 10:00:00.123456       1 stock.go:138] none left of item 7',
    { message: 'none left of item 7', severity: 'error', file: 'stock.go', line: 138 },
  ],
  [
    'logfmt',
    'ts=2026-11-20T10:00:00Z caller=stock.go:12 level=error msg="none left of \\"7\\"" err=empty',
    { message: 'none left of "7"', severity: 'error', file: 'stock.go', line: 12 },
  ],
  [
    "the console of Go's zap",
    '2026-11-20T10:00:00.123Z\terror\tstock/stock.go:12\tnone left\t{"sku": 7}\nmain.pay\n\t/srv/stock.go:12',
    { message: 'none left', file: 'stock/stock.go', line: 12, severity: 'error' },
  ],
  [
    'Cassandra, with the level first',
    'ERROR [main] 2026-11-20 10:00:00,123 Stock.java:12 - none left',
    { message: 'none left', file: 'Stock.java', line: 12, severity: 'error' },
  ],
  [
    'the class of an error behind the level',
    '2026-11-20 10:00:00 ERROR StockError: none left',
    { message: 'none left', exception: 'StockError', severity: 'error' },
  ],
  [
    'one line in another',
    '[2026-11-20 10:00:00,431] {mixin.py:112} INFO - [2026-11-20 10:00:00,430] {stock.py:20} ERROR - none left',
    { message: 'none left', severity: 'error' },
  ],
] as const

/** The text after a logger's head, and its severity. */
const printed: readonly (readonly [line: string, message: string, severity?: string | null])[] = [
  ['[2026-11-20T10:00:00+00:00] app.WARNING: the queue is long [] []', 'the queue is long', 'warning'],
  ['<11>1 2026-11-20T10:00:00Z web-1 shop 812 ID47 - none left', 'none left', 'error'],
  ['<10>Nov 20 10:00:00 web-1 shop[812]: none left', 'none left', 'critical'],
  [
    'at=error code=H12 desc="Request timeout" method=GET path="/cart" request_id=5f0e status=503',
    'Request timeout',
    'error',
  ],
  ['2026/11/20 10:00:00 [error] 31#31: *1 connect() failed', '31#31: *1 connect() failed', 'error'],
  ['[Fri Nov 20 10:00:00.123456 2026] [proxy:error] [pid 12:tid 34] none answers', 'none answers', 'error'],
  ['2026-11-20 10:00:00,123 ERROR [http-1] com.acme.Stock - none left', 'none left', 'error'],
  ['2026-11-20T10:00:00.123Z  WARN 1 --- [shop] [nio-1] c.a.Stock      : few left', 'few left', 'warning'],
  ['2026-11-20 10:00:00.123 UTC [31] ERROR:  none left', 'none left', 'error'],
  ['E, [2026-11-20T10:00:00.123456 #12] ERROR -- : none left', 'none left', 'error'],
  ['ERROR:shop.stock:none left', 'none left', 'error'],
  ['[10:00:00 ERR] none left', 'none left', 'error'],
  ['fail: Shop.Stock[0] none left', 'none left', 'error'],
  ['2026-11-20T10:00:00.1Z 0 [Note] [MY-012487] [InnoDB] none left', 'none left', 'notice'],
  ['26/11/20 10:00:00 ERROR shop.Stock: none left', 'none left', 'error'],
  ['[2026-11-20 10:00:00,123: ERROR/MainProcess] none left', 'none left', 'error'],
  ['[2026-11-20, 10:00:00 UTC] {stock.py:12} ERROR - none left', 'none left', 'error'],
  ['[10:00:00] [Server thread/ERROR]: none left', 'none left', 'error'],
  ['Nov 20, 2026 10:00:00 AM com.acme.Stock pay\nSEVERE: none left', 'none left', 'error'],
  ['11-20 10:00:00.123  1234  1235 E Shop    : none left', 'none left', 'error'],
  ['081120 100000 2561 WARN shop.Stock: few left', 'few left', 'warning'],
  ['54 [main] WARN shop.Stock - few left', 'few left', 'warning'],
  ['2026-11-20 10:00:00, Warning               CBS    few left', 'CBS    few left', 'warning'],
  ['[2026-11-20 10:00:00.492][1][warning][stock] [src/stock.cc:31] few left', 'few left', 'warning'],
  ['[WARN ] 2026-11-20 10:00:00.827 [main] file - few left', 'few left', 'warning'],
  ['[Nest] 7  - 11/20/2026, 10:00:00 AM   ERROR [Stock] none left', 'none left', 'error'],
  ['1:M 20 Nov 2026 10:00:00.123 * few left', 'few left', 'notice'],
  ['1:M 20 Nov 2026 10:00:00.123 # WARNING few left', 'WARNING few left', 'warning'],
  ['1:M 20 Nov 2026 10:00:00.123 # none left', 'none left'],
  ['Nov 20 10:00:00 web-1 stock[812]: none left', 'none left'],
  ['=ERROR REPORT==== 20-Nov-2026::10:00:00 === none left', 'none left', 'error'],
]

describe('a log line', () => {
  it.each(lines)('is read: %s', (_, message, expected) => {
    expect(read({ message })).toEqual({ ...nothing, ...expected })
  })

  it.each(printed)('is read without its prefix: %s', (line, message, severity = null) => {
    expect(read({ message: line })).toEqual({ ...nothing, message, severity })
  })

  it('is the request and the status if it is from an access log', () => {
    const line = '10.0.0.7 - ann [20/Nov/2026:10:00:00 +0000] "POST /pay?id=7 HTTP/1.1" 500 2326 "-" "curl/8"'
    const [record] = readErrorReports({ body: Buffer.from(JSON.stringify({ log: line })), headers: new Headers() })
    expect(record).toMatchObject({ message: 'POST /pay: status 500', method: 'POST', url: '/pay?id=7', status: 500 })
  })

  it('is the request and the status if it is from a router', () => {
    const lines = [
      'at=info method=GET path="/cart?id=7" host=shop.example service=3ms status=200 bytes=10',
      'at=error desc="Request timeout" method=GET path="/cart" service=3ms status=503 bytes=0',
    ]
    const body = Buffer.from(JSON.stringify(lines.map((message) => ({ message }))))
    expect(readErrorReports({ body, headers: new Headers() })).toMatchObject([
      { message: 'GET /cart: status 200', method: 'GET', url: '/cart?id=7', status: 200 },
      { message: 'Request timeout', method: 'GET', url: '/cart', status: 503, severity: 'error' },
    ])
    const other = 'the method=GET gave no status=ok'
    expect(read({ message: other })).toEqual({ ...nothing, message: other })
  })

  it('is read under any name that a log shipper uses', () => {
    const body = Buffer.from(JSON.stringify({ line: '[2026-11-20T10:00:00+00:00] app.ERROR: none left' }))
    expect(readErrorReports({ body, headers: new Headers() })).toMatchObject([
      { message: 'none left', severity: 'error' },
    ])
  })

  it('may start with its level', () => {
    const severities = ['log', 'line', 'message'].map(
      (name) => read({ [name]: 'INFO few left', host: 'web-1' }).severity,
    )
    expect(severities).toEqual(['info', 'info', null])
    expect(read({ log: 'INFO few left', level: 'error' }).severity).toBe('error')
  })

  it('is not located in the file that a log shipper read', () => {
    expect(read({ message: 'none left', file: '/var/log/stock.log' })).toEqual({ ...nothing, message: 'none left' })
  })

  it('is unchanged in an unknown format', () => {
    const texts = [
      '2026-11-20 is no delivery day',
      'a=b and c=d',
      'E1120 is no error',
      '[7] none left',
      'CEF: none',
      'db.shop.example:5432: refused',
      'Payment failed: the bank answered method=POST path=/pay with status=200 and nothing else',
    ]
    expect(texts.map((message) => read({ message }))).toEqual(texts.map((message) => ({ ...nothing, message })))
  })

  it('does not override fields of the report', () => {
    const [, , said] = lines
    const named = { exception: 'OutOfMemory', file: 'big.php', line: 1, severity: 'fatal' }
    expect(read({ message: said[1], ...named })).toEqual({ message: said[2].message, ...named })
  })
})
