import { type Frame, toFrame } from '../frame.ts'
import { frameOfExpression, readerOf } from './frame-expression.ts'
import { classLast } from './ruby.ts'
import { type StackHeader, type StackReader, stackHeader } from './stack-reader.ts'

// Languages that are compiled to machine code: C, C++, Objective-C and Swift, as sanitizers, debuggers and Swift's own
// runtime print them, Crystal and Nim.

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

/** `  from src/cart.cr:42:5 in 'total'` below `Unhandled exception: no cart (CartError)`, as Crystal prints it. */
export const crystal = readerOf(
  frameOfExpression({
    frame: /^\s{1,16}from (\S{1,600}):(\d{1,9}):\d{1,9} in '(.{1,300})'$/,
    file: 1,
    line: 2,
    function: 3,
  }),
  classLast,
)

const nimCall = frameOfExpression({
  frame: /^(\S{1,600}\.nim)\((\d{1,9})\)\s{1,40}(\S{1,200})$/,
  file: 1,
  line: 2,
  function: 3,
})
const nimTitle = /^Error: (?:unhandled exception: )?(.{1,2000}?)(?: \[(\w{1,200})\])?$/

/** Nim lists the oldest call first, and what happened below. */
export const nim: StackReader = (lines) => {
  const frames = lines.map(nimCall).filter((frame) => frame !== null)
  if (frames.length === 0) return null
  const title = lines.map((line) => nimTitle.exec(line.trimEnd())).find((match) => match !== null)
  return { exception: title?.[2] ?? null, message: title?.[1] ?? null, frames: frames.reverse(), causes: [] }
}
