import { describe, expect, it } from 'vitest'
import { crashSite } from '../frame.ts'
import { readStack } from './index.ts'

/** `TypeError: no cart at cart.js:3 from IoError` */
const summary = (stack: unknown): string => {
  const { exception, message, frames = [], causes = [] } = readStack(stack) ?? {}
  const crash = crashSite(frames)
  const title = [exception, message].filter((part) => part != null).join(': ')
  return [title, `at ${crash?.file}:${crash?.line}`, ...causes.map((cause) => `from ${cause.exception}`)]
    .filter((part) => part !== '')
    .join(' ')
}

const stacks: readonly (readonly [title: string, stack: unknown, expected: string])[] = [
  [
    'V8, past the frames of packages and the runtime',
    `TypeError [ERR_BAD]: cart is null
second line
    at check (/srv/shop/node_modules/lib/check.js:1:2)
    at async Cart.pay (file:///srv/shop/src/cart.ts:12:5)
    at new Promise (<anonymous>)
    at node:internal/process/task_queues:95:5`,
    'TypeError: cart is null\nsecond line at file:///srv/shop/src/cart.ts:12',
  ],
  [
    'what Node prints of an error that nothing caught',
    `file:///srv/shop/cart.mjs:2
function pay() { return cart.total }
                             ^

TypeError: cart is undefined
    at pay (file:///srv/shop/cart.mjs:2:30)

Node.js v24.1.0`,
    'TypeError: cart is undefined at file:///srv/shop/cart.mjs:2',
  ],
  [
    'V8 with the cause that Node prints below',
    `Error: outer
    at a (/srv/a.js:1:1) {
  [cause]: RangeError: inner
      at b (/srv/b.js:2:2)
}`,
    'Error: outer at /srv/a.js:1 from RangeError',
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
    'no rate at src/till.rs:4',
  ],
  [
    'V8 of an error that only wraps another',
    'WrappedError\n  Caused by: BrokerError: gone\n    at connect (/srv/b.js:2:2)',
    'WrappedError at /srv/b.js:2 from BrokerError',
  ],
  [
    'Chrome, where a rejection was not handled',
    'Uncaught (in promise) SyntaxError: bad\n    at https://shop.example/assets/app.js?v=3:7:11',
    'SyntaxError: bad at https://shop.example/assets/app.js?v=3:7',
  ],
  [
    'Firefox and Safari, which give no headline',
    'pay@https://shop.example/app.js:3:9\n@https://shop.example/app.js:9:1',
    'at https://shop.example/app.js:3',
  ],
  [
    'Hermes of React Native',
    'TypeError: no\n    at render (address at index.android.bundle:1:2345)',
    'TypeError: no at index.android.bundle:1',
  ],
  [
    'Python, from the bottom up',
    `Traceback (most recent call last):
  File "/srv/shop/app.py", line 3, in main
    pay()
  File "/usr/lib/python3.12/json/decoder.py", line 40, in decode
    raise
json.decoder.JSONDecodeError: Expecting value`,
    'json.decoder.JSONDecodeError: Expecting value at /srv/shop/app.py:3',
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
    'ValueError: no x at /srv/b.py:2 from KeyError',
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
    'ExceptionGroup: many (1 sub-exception) at /srv/group.py:4 from ValueError',
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
    'java.lang.IllegalStateException: no cart at CartService.java:48 from java.io.IOException',
  ],
  [
    'Kotlin below a line of the logger',
    'Request failed\nkotlin.KotlinNullPointerException\n\tat shop.CartKt.pay(Cart.kt:5)',
    'kotlin.KotlinNullPointerException at Cart.kt:5',
  ],
  [
    '.NET with an inner exception',
    `System.InvalidOperationException: outer
 ---> System.IO.IOException: inner
   at System.IO.File.Open(String path)
   at Shop.Db.Read() in C:\\src\\Db.cs:line 7
   --- End of inner exception stack trace ---
   at Shop.Cart.Pay() in C:\\src\\Cart.cs:line 12`,
    'System.InvalidOperationException: outer at C:\\src\\Db.cs:7 from System.IO.IOException',
  ],
  [
    '.NET on a German machine',
    'System.Exception: kaputt\n   bei Shop.Cart.Pay() in C:\\src\\Cart.cs:Zeile 12.',
    'System.Exception: kaputt at C:\\src\\Cart.cs:12',
  ],
  [
    'Unity',
    'NullReferenceException: nothing\nPlayer.Jump (System.Int32 n) (at Assets/Player.cs:9)',
    'NullReferenceException: nothing at Assets/Player.cs:9',
  ],
  [
    'PHP, past the vendor folder',
    `PHP Fatal error:  Uncaught PDOException: no such table in /srv/vendor/db/Pdo.php:9
Stack trace:
#0 /srv/app/Cart.php(12): Pdo->query('select')
#1 [internal function]: Cart->pay()
#2 {main}`,
    'PDOException: no such table at /srv/app/Cart.php:12',
  ],
  [
    'PHP with a previous exception',
    `LogicException: first in /srv/a.php:3
Stack trace:
#0 {main}

Next RuntimeException: then in /srv/b.php:5
Stack trace:
#0 {main}`,
    'RuntimeException: then at /srv/b.php:5 from LogicException',
  ],
  [
    "Laravel's log line",
    `[2026-11-20 19:16:24] production.ERROR: no {"exception":"[object] (App\\Broken(code: 0): no at /srv/app/Cart.php:12)
[stacktrace]
#0 /srv/app/Http.php(3): Cart->pay()
#1 {main}`,
    'App\\Broken: no at /srv/app/Cart.php:12',
  ],
  [
    'Ruby, with the class at the end of its first line',
    "/srv/app/cart.rb:12:in `pay': no funds (PaymentError)\n\tfrom /srv/app/main.rb:3:in `<main>'",
    'PaymentError: no funds at /srv/app/cart.rb:12',
  ],
  [
    'Ruby as a list of lines, past the gems',
    ["/usr/lib/ruby/gems/3.4.0/gems/pg-1.5/lib/pg.rb:3:in 'PG.connect'", "app/models/cart.rb:12:in 'Cart#pay'"],
    'at app/models/cart.rb:12',
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
    'runtime error: index out of range [5] with length 3 at /srv/shop/main.go:12',
  ],
  [
    'a Go error that carries its stack',
    'no funds\nmain.pay\n\t/srv/shop/pay.go:12\nruntime.main\n\t/usr/local/go/src/runtime/proc.go:250',
    'no funds at /srv/shop/pay.go:12',
  ],
  [
    'Rust',
    "thread 'main' panicked at src/main.rs:4:5:\nindex out of bounds\nnote: run with RUST_BACKTRACE=1",
    'index out of bounds at src/main.rs:4',
  ],
  ['older Rust', "thread 'main' panicked at 'no way', src/main.rs:4:5", 'no way at src/main.rs:4'],
  [
    'Dart',
    'FormatException: bad\n#0      int.parse (dart:core/int.dart:1:1)\n#1      main (package:shop/main.dart:12:5)',
    'FormatException: bad at package:shop/main.dart:12',
  ],
  [
    'Elixir',
    '** (RuntimeError) boom\n    (stdlib 5.0) deps/x/lists.ex:1: :lists.map/2\n    (shop 0.1.0) lib/cart.ex:12: Shop.Cart.pay/1',
    'RuntimeError: boom at lib/cart.ex:12',
  ],
  [
    'a panic of Go with the registers of each frame',
    'panic: no cart\n\ngoroutine 4 [running]:\npanic(0x45cb40)\n\t/usr/local/go/src/runtime/panic.go:542 +0x46c fp=0xc4 sp=0xc4 pc=0x42\nmain.pay(0xc4)\n\tpay.go:6 +0x39 fp=0xc4 sp=0xc4 pc=0x45',
    'no cart at pay.go:6',
  ],
  [
    'Dart that runs without a handler',
    'Unhandled exception:\nRangeError (index): none there\n#0      List.[] (dart:core-patch/array.dart:151)\n#1      pay (file:///srv/cart.dart:7:3)',
    'RangeError: none there at file:///srv/cart.dart:7',
  ],
  [
    'Flutter',
    '══╡ EXCEPTION CAUGHT BY WIDGETS LIBRARY ╞══\nThe following _TypeError was thrown building Cart(dirty):\nno cart\n\nWhen the exception was thrown, this was the stack:\n#0      Cart.build (package:shop/cart.dart:12:7)',
    '_TypeError: no cart at package:shop/cart.dart:12',
  ],
  [
    'Hermes without a space before the location',
    'Error: no cart\nat render(/srv/shop/src/Cart.js:78:24)\nat child(/srv/shop/node_modules/react/index.js:1:2)',
    'Error: no cart at /srv/shop/src/Cart.js:78',
  ],
  [
    'old PHP',
    "exception 'App\\NoCart' with message 'no cart' in /srv/cart.php:5\nStack trace:\n#0 /srv/index.php(9): pay()\n#1 {main}",
    'App\\NoCart: no cart at /srv/cart.php:5',
  ],
  [
    'Java behind what the logger printed on its line',
    'Jan 01, 2026 3:23:29 PM com.shop.Log: NoCartException: no cart\n  at com.shop.Cart.pay(Cart.java:50)',
    'NoCartException: no cart at Cart.java:50',
  ],
  [
    'AddressSanitizer',
    '==31==ERROR: AddressSanitizer: heap-use-after-free on address 0x602\n    #0 0x4f7 in __memcpy /build/glibc-2.31/string/memcpy.c:9\n    #1 0x4f8 in pay /srv/src/cart.c:42:10\n    #2 0x7f1 in __libc_start_main (/lib/libc.so.6+0x2409a)',
    'AddressSanitizer: heap-use-after-free on address 0x602 at /srv/src/cart.c:42',
  ],
  [
    'the runtime of Swift',
    'Fatal error: no cart\n0 pay() + 12 in shop at /srv/Sources/Cart.swift:42:9',
    'no cart at /srv/Sources/Cart.swift:42',
  ],
  [
    'Lua',
    "lua: cart.lua:3: no cart\nstack traceback:\n\t[C]: in function 'error'\n\tcart.lua:3: in function 'pay'\n\t[C]: in ?",
    'lua: cart.lua:3: no cart at cart.lua:3',
  ],
  [
    'Perl',
    'no cart at /srv/Cart.pm line 12.\n\tShop::Cart::pay("x") called at /srv/shop.pl line 42\n',
    'no cart at /srv/Cart.pm:12',
  ],
  [
    'Julia',
    'ERROR: LoadError: BoundsError: no cart\nStacktrace:\n [1] getindex\n   @ ./array.jl:861 [inlined]\n [2] pay(cart::Int64)\n   @ Main /srv/cart.jl:42',
    'BoundsError: no cart at /srv/cart.jl:42',
  ],
  ['R', 'no cart\n2: pay(cart) at cart.R#42\n1: main()', 'no cart at cart.R:42'],
  [
    'Haskell',
    'shop: no cart\nCallStack (from HasCallStack):\n  error, called at libraries/base/GHC/List.hs:16:3 in base:GHC.List\n  head, called at src/Cart.hs:42:9 in main:Cart',
    'shop: no cart at src/Cart.hs:42',
  ],
  [
    'OCaml',
    'Fatal error: exception Cart.Empty("no cart")\nRaised at Stdlib__List.find in file "list.ml", line 9, characters 1-2\nCalled from Cart.pay in file "src/cart.ml", line 42, characters 10-35',
    'Cart.Empty: no cart at src/cart.ml:42',
  ],
  [
    'a list of lines as Lambda writes those of a syntax error',
    [' File "/var/task/cart.py" Line 36\n pay( cart )\n'],
    'at /var/task/cart.py:36',
  ],
  [
    'Crystal',
    "Unhandled exception: no cart (CartError)\n  from src/cart.cr:42:5 in 'pay'\n  from src/main.cr:7:1 in '__crystal_main'",
    'CartError: no cart at src/cart.cr:42',
  ],
  [
    'Nim, which lists the oldest call first',
    'Traceback (most recent call last)\n/srv/main.nim(7)         main\n/srv/cart.nim(42)        pay\nError: unhandled exception: no cart [CartError]',
    'CartError: no cart at /srv/cart.nim:42',
  ],
  [
    'a crash of Python itself, which lists the newest call first',
    'Fatal Python error: Aborted\n\nCurrent thread 0x7f (most recent call first):\n  File "/srv/cart.py", line 42 in pay\n  File "/srv/main.py", line 7 in <module>',
    'Fatal Python error: Aborted at /srv/cart.py:42',
  ],
]

describe('a stack in text form', () => {
  for (const [title, stack, expected] of stacks) {
    it(`is read from ${title}`, () => {
      expect(summary(stack)).toBe(expected)
    })
  }

  it('is not found in prose', () => {
    const prose = ['The cart is empty.', 'Step 1: look at it\nStep 2: pay (now)', '', null, 42, {}, 'a\nb\nc']
    expect(prose.map((text) => readStack(text))).toEqual(prose.map(() => null))
  })
})
