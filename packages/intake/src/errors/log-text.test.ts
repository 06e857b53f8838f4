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
    'a line of Monolog without an exception',
    '[2026-11-20T10:00:00+00:00] app.WARNING: the queue is long [] []',
    { message: 'the queue is long', severity: 'warning' },
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
    'a line of syslog (RFC 5424)',
    '<11>1 2026-11-20T10:00:00Z web-1 shop 812 ID47 - none left',
    { message: 'none left', severity: 'error' },
  ],
  [
    'a line of syslog (RFC 3164)',
    '<10>Nov 20 10:00:00 web-1 shop[812]: none left',
    { message: 'none left', severity: 'critical' },
  ],
  [
    'CEF',
    'CEF:0|Acme|Guard|1.0|100|Malware was stopped|9|src=10.0.0.1',
    { message: 'Malware was stopped', severity: 'critical' },
  ],
  [
    'LEEF, with tabs',
    'LEEF:1.0|Acme|Guard|1.0|100|src=10.0.0.1\tsev=8\tmsg=Malware was stopped',
    { message: 'Malware was stopped', severity: 'error' },
  ],
  [
    'LEEF, with a sign of its own',
    'LEEF:2.0|Acme|Guard|1.0|MalwareStopped|^|cat=malware^sev=9^src=10.0.0.1',
    { message: 'Guard: MalwareStopped', severity: 'critical' },
  ],
  [
    'LEEF in a line of syslog',
    '<13>Nov 20 10:00:00 web-1 LEEF:2.0|Acme|Guard|1.0|100|x09|sev=5\treason=A port was scanned',
    { message: 'A port was scanned', severity: 'warning' },
  ],
  [
    'CEF in a line of syslog',
    '<10>Nov 20 10:00:00 web-1 CEF:0|Acme|Guard|1.0|100|Malware was stopped|9|src=10.0.0.1',
    { message: 'Malware was stopped', severity: 'critical' },
  ],
  [
    'logfmt',
    'ts=2026-11-20T10:00:00Z caller=stock.go:12 level=error msg="none left of \\"7\\"" err=empty',
    { message: 'none left of "7"', severity: 'error', file: 'stock.go', line: 12 },
  ],
  [
    "logfmt of Heroku's router",
    'at=error code=H12 desc="Request timeout" method=GET path="/cart" request_id=5f0e status=503',
    { message: 'Request timeout', severity: 'error' },
  ],
  [
    'nginx',
    '2026/11/20 10:00:00 [error] 31#31: *1 connect() failed',
    { message: '31#31: *1 connect() failed', severity: 'error' },
  ],
  [
    'Apache',
    '[Fri Nov 20 10:00:00.123456 2026] [proxy:error] [pid 12:tid 34] none answers',
    { message: 'none answers', severity: 'error' },
  ],
  [
    'Log4j',
    '2026-11-20 10:00:00,123 ERROR [http-1] com.acme.Stock - none left',
    { message: 'none left', severity: 'error' },
  ],
  [
    'Spring Boot',
    '2026-11-20T10:00:00.123Z  WARN 1 --- [shop] [nio-1] c.a.Stock      : few left',
    { message: 'few left', severity: 'warning' },
  ],
  ['PostgreSQL', '2026-11-20 10:00:00.123 UTC [31] ERROR:  none left', { message: 'none left', severity: 'error' }],
  [
    "Ruby's Logger",
    'E, [2026-11-20T10:00:00.123456 #12] ERROR -- : none left',
    { message: 'none left', severity: 'error' },
  ],
  ['Python', 'ERROR:shop.stock:none left', { message: 'none left', severity: 'error' }],
  ["Serilog's console", '[10:00:00 ERR] none left', { message: 'none left', severity: 'error' }],
  ['the console of .NET', 'fail: Shop.Stock[0] none left', { message: 'none left', severity: 'error' }],
  [
    "the console of Go's zap",
    '2026-11-20T10:00:00.123Z\terror\tstock/stock.go:12\tnone left\t{"sku": 7}\nmain.pay\n\t/srv/stock.go:12',
    { message: 'none left', file: 'stock/stock.go', line: 12, severity: 'error' },
  ],
  [
    'MySQL',
    '2026-11-20T10:00:00.1Z 0 [Note] [MY-012487] [InnoDB] none left',
    { message: 'none left', severity: 'notice' },
  ],
  ['Spark', '26/11/20 10:00:00 ERROR shop.Stock: none left', { message: 'none left', severity: 'error' }],
  ['Celery', '[2026-11-20 10:00:00,123: ERROR/MainProcess] none left', { message: 'none left', severity: 'error' }],
  [
    'Airflow',
    '[2026-11-20, 10:00:00 UTC] {stock.py:12} ERROR - none left',
    { message: 'none left', severity: 'error' },
  ],
  ['a server of games', '[10:00:00] [Server thread/ERROR]: none left', { message: 'none left', severity: 'error' }],
  [
    'Cassandra, with the level first',
    'ERROR [main] 2026-11-20 10:00:00,123 Stock.java:12 - none left',
    { message: 'none left', file: 'Stock.java', line: 12, severity: 'error' },
  ],
  [
    'java.util.logging, on two lines',
    'Nov 20, 2026 10:00:00 AM com.acme.Stock pay\nSEVERE: none left',
    { message: 'none left', severity: 'error' },
  ],
  [
    "Android's logcat",
    '11-20 10:00:00.123  1234  1235 E Shop    : none left',
    { message: 'none left', severity: 'error' },
  ],
  [
    'the class of an error behind the level',
    '2026-11-20 10:00:00 ERROR StockError: none left',
    { message: 'none left', exception: 'StockError', severity: 'error' },
  ],
  [
    'Hadoop, with the time in digits',
    '081120 100000 2561 WARN shop.Stock: few left',
    { message: 'few left', severity: 'warning' },
  ],
  [
    'log4j, which counts milliseconds',
    '54 [main] WARN shop.Stock - few left',
    { message: 'few left', severity: 'warning' },
  ],
  [
    'Windows, with the level as a word',
    '2026-11-20 10:00:00, Warning               CBS    few left',
    { message: 'CBS    few left', severity: 'warning' },
  ],
  [
    'Envoy, with all in brackets',
    '[2026-11-20 10:00:00.492][1][warning][stock] [src/stock.cc:31] few left',
    { message: 'few left', severity: 'warning' },
  ],
  [
    'Logstash, with the level first in brackets',
    '[WARN ] 2026-11-20 10:00:00.827 [main] file - few left',
    { message: 'few left', severity: 'warning' },
  ],
  [
    'Nest',
    '[Nest] 7  - 11/20/2026, 10:00:00 AM   ERROR [Stock] none left',
    { message: 'none left', severity: 'error' },
  ],
  ['Redis', '1:M 20 Nov 2026 10:00:00.123 * few left', { message: 'few left', severity: 'notice' }],
  [
    'Redis, a warning',
    '1:M 20 Nov 2026 10:00:00.123 # WARNING few left',
    { message: 'WARNING few left', severity: 'warning' },
  ],
  ['Redis, what is worse', '1:M 20 Nov 2026 10:00:00.123 # none left', { message: 'none left' }],
  ['a file of syslog', 'Nov 20 10:00:00 web-1 stock[812]: none left', { message: 'none left' }],
  ['Erlang', '=ERROR REPORT==== 20-Nov-2026::10:00:00 === none left', { message: 'none left', severity: 'error' }],
  [
    'one line in another',
    '[2026-11-20 10:00:00,431] {mixin.py:112} INFO - [2026-11-20 10:00:00,430] {stock.py:20} ERROR - none left',
    { message: 'none left', severity: 'error' },
  ],
  [
    'a sentence of Perl',
    'none left at /srv/Stock.pm line 12.',
    { message: 'none left at /srv/Stock.pm line 12.', file: '/srv/Stock.pm', line: 12 },
  ],
  [
    'an assertion',
    'none left: file Stock.swift, line 12',
    { message: 'none left: file Stock.swift, line 12', file: 'Stock.swift', line: 12 },
  ],
  [
    'a compiler',
    'src/stock.c:12:7: error: none left',
    { message: 'src/stock.c:12:7: error: none left', file: 'src/stock.c', line: 12 },
  ],
  [
    'a shell',
    '/srv/stock.sh: line 12: none: left',
    { message: '/srv/stock.sh: line 12: none: left', file: '/srv/stock.sh', line: 12 },
  ],
  [
    'a place at its end',
    'none left (lib/stock.rb:12)',
    { message: 'none left (lib/stock.rb:12)', file: 'lib/stock.rb', line: 12 },
  ],
  ...[
    ['TypeScript', 'src/stock.ts(12,7): error TS2322: none left', 'src/stock.ts'],
    ['Maven', '/srv/Stock.java:[12,9] none left', '/srv/Stock.java'],
    ['Rust, a line below', 'error[E0308]: none left\n  --> src/stock.rs:12:9', 'src/stock.rs'],
    ['Terraform', 'Error: none left\n\n  on main.tf line 12, in resource', 'main.tf'],
    ['Unreal', 'none left [File:D:/shop/Stock.cpp] [Line: 12]', 'D:/shop/Stock.cpp'],
    ['Godot', 'none left\n   at: Stock.take (res://stock.gd:12)', 'res://stock.gd'],
    ['PowerShell', 'none left\nAt C:\\stock.ps1:12 char:5', 'C:\\stock.ps1'],
  ].map(
    ([title, message, file]) => [`a place as it is written by ${title}`, message, { message, file, line: 12 }] as const,
  ),
] as const

describe('what a log says in one sentence', () => {
  it.each(lines)('is read: %s', (_, message, expected) => {
    expect(read({ message })).toEqual({ ...nothing, ...expected })
  })

  it('is what was asked for and answered when it is a line of an access log', () => {
    const line = '10.0.0.7 - ann [20/Nov/2026:10:00:00 +0000] "POST /pay?id=7 HTTP/1.1" 500 2326 "-" "curl/8"'
    const [record] = readErrorReports({ body: Buffer.from(JSON.stringify({ log: line })), headers: new Headers() })
    expect(record).toMatchObject({ message: 'POST /pay: status 500', method: 'POST', url: '/pay?id=7', status: 500 })
  })

  it('is what was asked for and answered in a line of a router', () => {
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

  it('is read from under whatever name a shipper hands it on', () => {
    const body = Buffer.from(JSON.stringify({ line: '[2026-11-20T10:00:00+00:00] app.ERROR: none left' }))
    expect(readErrorReports({ body, headers: new Headers() })).toMatchObject([
      { message: 'none left', severity: 'error' },
    ])
  })

  it('has the level in front of it, where it is a line that was printed', () => {
    const severities = ['log', 'line', 'message'].map(
      (name) => read({ [name]: 'INFO few left', host: 'web-1' }).severity,
    )
    expect(severities).toEqual(['info', 'info', null])
    expect(read({ log: 'INFO few left', level: 'error' }).severity).toBe('error')
  })

  it('is not placed in the file that a shipper read it from', () => {
    expect(read({ message: 'none left', file: '/var/log/stock.log' })).toEqual({ ...nothing, message: 'none left' })
  })

  it('stays as it is when nothing of it is known', () => {
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

  it('gives way to what the report names itself', () => {
    const [, , said] = lines
    const named = { exception: 'OutOfMemory', file: 'big.php', line: 1, severity: 'fatal' }
    expect(read({ message: said[1], ...named })).toEqual({ message: said[2].message, ...named })
  })
})
