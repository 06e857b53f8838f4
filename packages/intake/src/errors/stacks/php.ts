import { type Frame, toFrame } from '../frame.ts'
import { type StackReader, type StackReading, stackHeader } from './stack-reader.ts'

const frameLine = /^#\d{1,4} (?:(.{1,600}?)\((\d{1,9})\)|\[internal function\])(?:: (.{0,600}))?$/
const bottom = /^#\d{1,4} \{main\}$/
const marker = /^(?:Stack trace:|\[stacktrace\])$/i
/** `Type: message in /file.php:12`, or Monolog's `[object] (Type(code: 0): message at /file.php:12)`. */
const thrownAt = / (?:in|at) ([^\s()][^()]{0,600}?)(?::| on line )(\d{1,9})\)?$/
/** Before PHP 7: `exception 'Type' with message 'no cart'`. */
const quotedHead = /(?:^|\s)exception '([\w\\]{1,250})' with message '([\s\S]{0,4000})'$/i
const monologHead = /^.{0,2000}?\[object\] \(([\w\\]{1,250})\(code: .{0,40}?\): /

const parseFrame = (line: string): Frame | null => {
  const match = frameLine.exec(line)
  if (match === null) return null
  const called = match[3]?.split('(', 1)[0]
  return toFrame({ file: match[1], line: match[2], function: called })
}

const parseException = (lines: readonly string[]): StackReading => {
  const from = lines.findIndex((line) => frameLine.test(line) || bottom.test(line) || marker.test(line))
  const head = lines
    .slice(0, from)
    .join('\n')
    .trim()
    .replace(monologHead, (_, name: string) => `${name.replaceAll('\\\\', '\\')}: `)
  const location = thrownAt.exec(head)
  const text = location === null ? head : head.slice(0, location.index)
  const [, exception, message = ''] = quotedHead.exec(text) ?? []
  const title = exception === undefined ? stackHeader(text) : { exception, message: message || null }
  const called = lines.map(parseFrame).filter((frame) => frame !== null)
  const thrown = location === null ? [] : [toFrame({ file: location[1], line: location[2] })]
  return { ...title, frames: [...thrown, ...called], causes: [] }
}

/** PHP prints the first cause first, and each following exception after `Next`. The last one was thrown. */
export const php: StackReader = (lines) => {
  const trimmed = lines.map((line) => line.trim())
  const isPhp = trimmed.some((line) => bottom.test(line) || frameLine.test(line))
  if (!isPhp) return null
  const starts = [0, ...trimmed.flatMap((line, index) => (line.startsWith('Next ') ? [index] : []))]
  const chain = starts.map((start, index) => parseException(trimmed.slice(start, starts[index + 1])))
  const thrown = chain.at(-1)
  if (thrown === undefined) return null
  const causes = chain.slice(0, -1).reverse()
  return { ...thrown, causes: causes.map(({ exception, message }) => ({ exception, message })) }
}
