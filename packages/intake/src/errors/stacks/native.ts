import { type Frame, toFrame } from '../frame.ts'
import { readerOf } from './frame-expression.ts'
import { type StackHeader, stackHeader } from './stack-reader.ts'

// C, C++, Objective-C and Swift, as sanitizers, debuggers and Swift's own runtime print them.

const numbered = /^\s{0,16}(?:\* )?(?:frame )?#?\d{1,4}:?\s{1,4}(?=\S)/
const location = /^(\S{1,600}\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|m|mm|swift|cu)):(\d{1,9})(?::\d{1,9})?$/
const functionName = /(?:^| in )(?!0x)([\w$:~<>.]{1,200})/
/** Sources of the C library and of the sanitizers. */
const libraries = /(?:^|\/)(?:glibc[\w.-]{0,40}|sysdeps|compiler-rt|libsanitizer|csu|usr\/include)\//

/** `#0 0x4f7b29 in cart_total src/cart.c:42:10`, `1 total() in shop at Sources/Cart.swift:42:9`: the place stands last. */
const frameOf = (line: string): Frame | null => {
  const text = line.trimEnd()
  const head = numbered.exec(text)?.[0]
  if (head === undefined) return null
  const match = location.exec(text.slice(text.lastIndexOf(' ') + 1))
  if (match === null) return null
  const isLibrary = libraries.test(match[1] ?? '')
  const name = functionName.exec(text.slice(head.length))?.[1]
  return toFrame({ file: match[1], line: match[2], function: name, ...(isLibrary ? { inApp: false } : {}) })
}

/** `==31337==ERROR: AddressSanitizer: heap-use-after-free on …` */
const title = (text: string): StackHeader => stackHeader(text.replace(/^(?:={3,80}\s)?==\d{1,10}== ?(?:ERROR: )?/, ''))

export const native = readerOf(frameOf, title)
