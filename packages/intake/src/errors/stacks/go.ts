import { toFrame } from '../frame.ts'
import { type StackReader, stackHeader } from './stack-reader.ts'

const locationLine = /^\s{1,16}(\S.{0,600}?\.(?:go|s)):(\d{1,9})(?: \+0x[0-9a-f]{1,16}(?: fp=.{1,100})?)?$/
const goroutine = /^goroutine \d{1,12} \[/
const signal = /^\[signal /

/** A location follows its function; `created by` marks the code that started the goroutine. */
const functionAbove = (line = ''): string | undefined => {
  const called = line.trim().replace(/^created by /, '')
  return called.slice(0, argumentsAt(called)) || undefined
}

/** Where the arguments begin: addresses, `...`, a struct, or the last parentheses. `(*Cart)` is a receiver. */
function argumentsAt(called: string): number {
  const values = called.search(/\((?:0x[0-9a-f?]|\.\.\.|\{)/)
  if (values !== -1) return values
  const last = called.endsWith(')') ? called.lastIndexOf('(') : -1
  return last === -1 || /[)*]/.test(called.slice(last, -1)) ? called.length : last
}

/** The failed goroutine is printed first; the others are unrelated. */
const firstGoroutine = (lines: readonly string[]): readonly string[] => {
  const first = lines.findIndex((line) => goroutine.test(line))
  const second = lines.findIndex((line, index) => index > first && goroutine.test(line))
  return first === -1 || second === -1 ? lines : lines.slice(0, second)
}

/** Runtime panics, and `%+v` of errors with a stack. Go errors have no useful class. */
export const go: StackReader = (lines) => {
  const own = firstGoroutine(lines)
  const frames = own.flatMap((line, index) => {
    const match = locationLine.exec(line)
    return match ? [toFrame({ file: match[1], line: match[2], function: functionAbove(own[index - 1]) })] : []
  })
  if (frames.length === 0) return null
  const first = own.findIndex((line) => goroutine.test(line) || signal.test(line) || locationLine.test(line))
  const isPanic = goroutine.test(own[first] ?? '') || signal.test(own[first] ?? '')
  const head = own
    .slice(0, isPanic ? first : Math.max(first - 1, 0))
    .join('\n')
    .trim()
  const message = head.replace(/^(?:panic|fatal error): /, '') || null
  const exception = message === null ? null : stackHeader(message).exception
  return { exception: exception?.startsWith('*') ? exception : null, message, frames, causes: [] }
}
