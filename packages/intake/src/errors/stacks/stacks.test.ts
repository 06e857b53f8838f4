import { describe, expect, it } from 'vitest'
import { crashSite } from '../frame.ts'
import { readStack } from './index.ts'

type Expected = {
  readonly exception: string | null
  readonly message: string | null
  readonly file: string
  readonly line: number
  readonly causes?: readonly string[]
}

const summary = (stack: unknown) => {
  const reading = readStack(stack)
  const crash = crashSite(reading?.frames ?? [])
  return {
    exception: reading?.exception,
    message: reading?.message,
    file: crash?.file,
    line: crash?.line,
    causes: reading?.causes.map((cause) => cause.exception),
  }
}

const stacks: readonly (readonly [title: string, stack: unknown, expected: Expected])[] = [
  [
    'V8, past the frames of packages and the runtime',
    `TypeError [ERR_BAD]: cart is null
second line
    at check (/srv/shop/node_modules/lib/check.js:1:2)
    at async Cart.pay (file:///srv/shop/src/cart.ts:12:5)
    at new Promise (<anonymous>)
    at node:internal/process/task_queues:95:5`,
    { exception: 'TypeError', message: 'cart is null\nsecond line', file: 'file:///srv/shop/src/cart.ts', line: 12 },
  ],
  [
    'what Node prints of an error that nothing caught',
    `file:///srv/shop/cart.mjs:2
function pay() { return cart.total }
                             ^

TypeError: cart is undefined
    at pay (file:///srv/shop/cart.mjs:2:30)

Node.js v24.1.0`,
    { exception: 'TypeError', message: 'cart is undefined', file: 'file:///srv/shop/cart.mjs', line: 2 },
  ],
  [
    'V8 with the cause that Node prints below',
    `Error: outer
    at a (/srv/a.js:1:1) {
  [cause]: RangeError: inner
      at b (/srv/b.js:2:2)
}`,
    { exception: 'Error', message: 'outer', file: '/srv/a.js', line: 1, causes: ['RangeError'] },
  ],
  [
    'Rust with the frames of its runtime',
    `thread 'main' (7) panicked at src/till.rs:4:15:
no rate
stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/59807616/library/std/src/panicking.rs:689:5
   1: till::main
             at ./src/till.rs:4:15`,
    { exception: null, message: 'no rate', file: 'src/till.rs', line: 4 },
  ],
  [
    'V8 of an error that only wraps another',
    'WrappedError\n  Caused by: BrokerError: gone\n    at connect (/srv/b.js:2:2)',
    { exception: 'WrappedError', message: null, file: '/srv/b.js', line: 2, causes: ['BrokerError'] },
  ],
  [
    'Chrome, where a rejection was not handled',
    'Uncaught (in promise) SyntaxError: bad\n    at https://shop.example/assets/app.js?v=3:7:11',
    { exception: 'SyntaxError', message: 'bad', file: 'https://shop.example/assets/app.js?v=3', line: 7 },
  ],
  [
    'Firefox and Safari, which give no headline',
    'pay@https://shop.example/app.js:3:9\n@https://shop.example/app.js:9:1',
    { exception: null, message: null, file: 'https://shop.example/app.js', line: 3 },
  ],
  [
    'Hermes of React Native',
    'TypeError: no\n    at render (address at index.android.bundle:1:2345)',
    { exception: 'TypeError', message: 'no', file: 'index.android.bundle', line: 1 },
  ],
  [
    'Python, from the bottom up',
    `Traceback (most recent call last):
  File "/srv/shop/app.py", line 3, in main
    pay()
  File "/usr/lib/python3.12/json/decoder.py", line 40, in decode
    raise
json.decoder.JSONDecodeError: Expecting value`,
    { exception: 'json.decoder.JSONDecodeError', message: 'Expecting value', file: '/srv/shop/app.py', line: 3 },
  ],
  [
    'Python with the exception that came before',
    `Traceback (most recent call last):
  File "/srv/a.py", line 1, in a
KeyError: 'x'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/srv/b.py", line 2, in b
ValueError: no x
`,
    { exception: 'ValueError', message: 'no x', file: '/srv/b.py', line: 2, causes: ['KeyError'] },
  ],
  [
    'a Python exception group',
    `  + Exception Group Traceback (most recent call last):
  |   File "/srv/group.py", line 4, in main
  |     raise ExceptionGroup("many", [a])
  | ExceptionGroup: many (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/srv/one.py", line 9, in one
    | ValueError: one
    +------------------------------------`,
    {
      exception: 'ExceptionGroup',
      message: 'many (1 sub-exception)',
      file: '/srv/group.py',
      line: 4,
      causes: ['ValueError'],
    },
  ],
  [
    'Java, past the framework',
    `Exception in thread "main" java.lang.IllegalStateException: no cart
\tat java.base/java.util.Optional.orElseThrow(Optional.java:403)
\tat org.springframework.aop.Proxy.invoke(Proxy.java:1)
\tat com.shop.CartService.pay(CartService.java:48)
\tat com.shop.Main$$Lambda$1.run(Unknown Source)
Caused by: java.io.IOException: closed
\tat com.shop.Db.read(Db.java:7)
\t... 3 more`,
    {
      exception: 'java.lang.IllegalStateException',
      message: 'no cart',
      file: 'CartService.java',
      line: 48,
      causes: ['java.io.IOException'],
    },
  ],
  [
    'Kotlin below a line of the logger',
    'Request failed\nkotlin.KotlinNullPointerException\n\tat shop.CartKt.pay(Cart.kt:5)',
    { exception: 'kotlin.KotlinNullPointerException', message: null, file: 'Cart.kt', line: 5 },
  ],
  [
    '.NET with an inner exception',
    `System.InvalidOperationException: outer
 ---> System.IO.IOException: inner
   at System.IO.File.Open(String path)
   at Shop.Db.Read() in C:\\src\\Db.cs:line 7
   --- End of inner exception stack trace ---
   at Shop.Cart.Pay() in C:\\src\\Cart.cs:line 12`,
    {
      exception: 'System.InvalidOperationException',
      message: 'outer',
      file: 'C:\\src\\Db.cs',
      line: 7,
      causes: ['System.IO.IOException'],
    },
  ],
  [
    '.NET on a German machine',
    'System.Exception: kaputt\n   bei Shop.Cart.Pay() in C:\\src\\Cart.cs:Zeile 12.',
    { exception: 'System.Exception', message: 'kaputt', file: 'C:\\src\\Cart.cs', line: 12 },
  ],
  [
    'Unity',
    'NullReferenceException: nothing\nPlayer.Jump (System.Int32 n) (at Assets/Player.cs:9)',
    { exception: 'NullReferenceException', message: 'nothing', file: 'Assets/Player.cs', line: 9 },
  ],
  [
    'PHP, past the vendor folder',
    `PHP Fatal error:  Uncaught PDOException: no such table in /srv/vendor/db/Pdo.php:9
Stack trace:
#0 /srv/app/Cart.php(12): Pdo->query('select')
#1 [internal function]: Cart->pay()
#2 {main}`,
    { exception: 'PDOException', message: 'no such table', file: '/srv/app/Cart.php', line: 12 },
  ],
  [
    'PHP with a previous exception',
    `LogicException: first in /srv/a.php:3
Stack trace:
#0 {main}

Next RuntimeException: then in /srv/b.php:5
Stack trace:
#0 {main}`,
    { exception: 'RuntimeException', message: 'then', file: '/srv/b.php', line: 5, causes: ['LogicException'] },
  ],
  [
    "Laravel's log line",
    `[2026-11-20 19:16:24] production.ERROR: no {"exception":"[object] (App\\Broken(code: 0): no at /srv/app/Cart.php:12)
[stacktrace]
#0 /srv/app/Http.php(3): Cart->pay()
#1 {main}`,
    { exception: 'App\\Broken', message: 'no', file: '/srv/app/Cart.php', line: 12 },
  ],
  [
    'Ruby, with the class at the end of its first line',
    "/srv/app/cart.rb:12:in `pay': no funds (PaymentError)\n\tfrom /srv/app/main.rb:3:in `<main>'",
    { exception: 'PaymentError', message: 'no funds', file: '/srv/app/cart.rb', line: 12 },
  ],
  [
    'Ruby as a list of lines, past the gems',
    ["/usr/lib/ruby/gems/3.4.0/gems/pg-1.5/lib/pg.rb:3:in 'PG.connect'", "app/models/cart.rb:12:in 'Cart#pay'"],
    { exception: null, message: null, file: 'app/models/cart.rb', line: 12 },
  ],
  [
    'a panic of Go',
    `panic: runtime error: index out of range [5] with length 3

goroutine 1 [running]:
panic({0x1, 0x2})
\t/usr/local/go/src/runtime/panic.go:884 +0x212
main.pay(0xc000010000)
\t/srv/shop/main.go:12 +0x1d
main.main()
\t/srv/shop/main.go:5 +0x17

goroutine 7 [select]:
net.other()
\t/srv/shop/net.go:1 +0x1`,
    {
      exception: null,
      message: 'runtime error: index out of range [5] with length 3',
      file: '/srv/shop/main.go',
      line: 12,
    },
  ],
  [
    'a Go error that carries its stack',
    'no funds\nmain.pay\n\t/srv/shop/pay.go:12\nruntime.main\n\t/usr/local/go/src/runtime/proc.go:250',
    { exception: null, message: 'no funds', file: '/srv/shop/pay.go', line: 12 },
  ],
  [
    'Rust',
    "thread 'main' panicked at src/main.rs:4:5:\nindex out of bounds\nnote: run with RUST_BACKTRACE=1",
    { exception: null, message: 'index out of bounds', file: 'src/main.rs', line: 4 },
  ],
  [
    'older Rust',
    "thread 'main' panicked at 'no way', src/main.rs:4:5",
    { exception: null, message: 'no way', file: 'src/main.rs', line: 4 },
  ],
  [
    'Dart',
    'FormatException: bad\n#0      int.parse (dart:core/int.dart:1:1)\n#1      main (package:shop/main.dart:12:5)',
    { exception: 'FormatException', message: 'bad', file: 'package:shop/main.dart', line: 12 },
  ],
  [
    'Elixir',
    '** (RuntimeError) boom\n    (stdlib 5.0) deps/x/lists.ex:1: :lists.map/2\n    (shop 0.1.0) lib/cart.ex:12: Shop.Cart.pay/1',
    { exception: 'RuntimeError', message: 'boom', file: 'lib/cart.ex', line: 12 },
  ],
  [
    'a panic of Go with the registers of each frame',
    'panic: no cart\n\ngoroutine 4 [running]:\npanic(0x45cb40)\n\t/usr/local/go/src/runtime/panic.go:542 +0x46c fp=0xc4 sp=0xc4 pc=0x42\nmain.pay(0xc4)\n\tpay.go:6 +0x39 fp=0xc4 sp=0xc4 pc=0x45',
    { exception: null, message: 'no cart', file: 'pay.go', line: 6 },
  ],
  [
    'Dart that runs without a handler',
    'Unhandled exception:\nRangeError (index): none there\n#0      List.[] (dart:core-patch/array.dart:151)\n#1      pay (file:///srv/cart.dart:7:3)',
    { exception: 'RangeError', message: 'none there', file: 'file:///srv/cart.dart', line: 7 },
  ],
  [
    'Flutter',
    '══╡ EXCEPTION CAUGHT BY WIDGETS LIBRARY ╞══\nThe following _TypeError was thrown building Cart(dirty):\nno cart\n\nWhen the exception was thrown, this was the stack:\n#0      Cart.build (package:shop/cart.dart:12:7)',
    { exception: '_TypeError', message: 'no cart', file: 'package:shop/cart.dart', line: 12 },
  ],
  [
    'Hermes without a blank before the place',
    'Error: no cart\nat render(/srv/shop/src/Cart.js:78:24)\nat child(/srv/shop/node_modules/react/index.js:1:2)',
    { exception: 'Error', message: 'no cart', file: '/srv/shop/src/Cart.js', line: 78 },
  ],
  [
    'old PHP',
    "exception 'App\\NoCart' with message 'no cart' in /srv/cart.php:5\nStack trace:\n#0 /srv/index.php(9): pay()\n#1 {main}",
    { exception: 'App\\NoCart', message: 'no cart', file: '/srv/cart.php', line: 5 },
  ],
  [
    'Java behind what the logger printed on its line',
    'Jan 01, 2026 3:23:29 PM com.shop.Log: NoCartException: no cart\n  at com.shop.Cart.pay(Cart.java:50)',
    { exception: 'NoCartException', message: 'no cart', file: 'Cart.java', line: 50 },
  ],
  [
    'AddressSanitizer',
    '==31==ERROR: AddressSanitizer: heap-use-after-free on address 0x602\n    #0 0x4f7 in __memcpy /build/glibc-2.31/string/memcpy.c:9\n    #1 0x4f8 in pay /srv/src/cart.c:42:10\n    #2 0x7f1 in __libc_start_main (/lib/libc.so.6+0x2409a)',
    {
      exception: 'AddressSanitizer',
      message: 'heap-use-after-free on address 0x602',
      file: '/srv/src/cart.c',
      line: 42,
    },
  ],
  [
    'the runtime of Swift',
    'Fatal error: no cart\n0 pay() + 12 in shop at /srv/Sources/Cart.swift:42:9',
    { exception: null, message: 'no cart', file: '/srv/Sources/Cart.swift', line: 42 },
  ],
  [
    'Lua',
    "lua: cart.lua:3: no cart\nstack traceback:\n\t[C]: in function 'error'\n\tcart.lua:3: in function 'pay'\n\t[C]: in ?",
    { exception: null, message: 'lua: cart.lua:3: no cart', file: 'cart.lua', line: 3 },
  ],
  [
    'Perl',
    'no cart at /srv/Cart.pm line 12.\n\tShop::Cart::pay("x") called at /srv/shop.pl line 42\n',
    { exception: null, message: 'no cart', file: '/srv/Cart.pm', line: 12 },
  ],
  [
    'Julia',
    'ERROR: LoadError: BoundsError: no cart\nStacktrace:\n [1] getindex\n   @ ./array.jl:861 [inlined]\n [2] pay(cart::Int64)\n   @ Main /srv/cart.jl:42',
    { exception: 'BoundsError', message: 'no cart', file: '/srv/cart.jl', line: 42 },
  ],
  [
    'R',
    'no cart\n2: pay(cart) at cart.R#42\n1: main()',
    { exception: null, message: 'no cart', file: 'cart.R', line: 42 },
  ],
  [
    'Haskell',
    'shop: no cart\nCallStack (from HasCallStack):\n  error, called at libraries/base/GHC/List.hs:16:3 in base:GHC.List\n  head, called at src/Cart.hs:42:9 in main:Cart',
    { exception: null, message: 'shop: no cart', file: 'src/Cart.hs', line: 42 },
  ],
  [
    'OCaml',
    'Fatal error: exception Cart.Empty("no cart")\nRaised at Stdlib__List.find in file "list.ml", line 9, characters 1-2\nCalled from Cart.pay in file "src/cart.ml", line 42, characters 10-35',
    { exception: 'Cart.Empty', message: 'no cart', file: 'src/cart.ml', line: 42 },
  ],
  [
    'a list of lines as Lambda writes those of a syntax error',
    [' File "/var/task/cart.py" Line 36\n pay( cart )\n'],
    { exception: null, message: null, file: '/var/task/cart.py', line: 36 },
  ],
  [
    'Crystal',
    "Unhandled exception: no cart (CartError)\n  from src/cart.cr:42:5 in 'pay'\n  from src/main.cr:7:1 in '__crystal_main'",
    { exception: 'CartError', message: 'no cart', file: 'src/cart.cr', line: 42 },
  ],
  [
    'Nim, which lists the oldest call first',
    'Traceback (most recent call last)\n/srv/main.nim(7)         main\n/srv/cart.nim(42)        pay\nError: unhandled exception: no cart [CartError]',
    { exception: 'CartError', message: 'no cart', file: '/srv/cart.nim', line: 42 },
  ],
  [
    'a crash of Python itself, which lists the newest call first',
    'Fatal Python error: Aborted\n\nCurrent thread 0x7f (most recent call first):\n  File "/srv/cart.py", line 42 in pay\n  File "/srv/main.py", line 7 in <module>',
    { exception: null, message: 'Fatal Python error: Aborted', file: '/srv/cart.py', line: 42 },
  ],
]

describe('a stack written as text', () => {
  for (const [title, stack, expected] of stacks) {
    it(`is read from ${title}`, () => {
      expect(summary(stack)).toEqual({ causes: [], ...expected })
    })
  }

  it('is not seen in prose', () => {
    const prose = ['The cart is empty.', 'Step 1: look at it\nStep 2: pay (now)', '', null, 42, {}, 'a\nb\nc']
    expect(prose.map((text) => readStack(text))).toEqual(prose.map(() => null))
  })
})
