import { type Frame, toFrame } from '../frame.ts'
import { linesBefore, type StackReader, stackHeader, stackHeaderWithin } from './stack-reader.ts'

const location = /^(.+?):(\d{1,9})(?::\d{1,9})?$/
const v8 = /^\s{0,16}at (?:async )?(.+)$/
const gecko = /^([^@\s(]{0,200}(?:\/<)?)@(.{1,900}?):(\d{1,9})(?::\d{1,9})?$/
const cause = /^\s*(?:\[cause\]:|\[errors\]:|Caused by:) ?(.*)$/

/** The start of the location: `fn (file:1:2)`, or `fn(/file:1:2)` in React Native. */
const bracketIn = (text: string): number => {
  if (!text.endsWith(')')) return -1
  const spaced = text.indexOf(' (')
  return spaced === -1 ? text.search(/\((?:[/\\]|\w{1,20}:)/) : spaced
}

/** `fn (file:1:2)`, `file:1:2`, or `fn (<anonymous>)`. Hermes writes `address at` before the file. */
const v8Frame = (text: string): Frame | null => {
  const open = bracketIn(text)
  const where = (open === -1 ? text : text.slice(open, -1)).replace(/^ ?\((?:address at )?/, '')
  const match = location.exec(where)
  if (match === null) return open === -1 ? null : toFrame({ function: text.slice(0, open), inApp: false })
  return toFrame({ file: match[1], line: match[2], function: open === -1 ? null : text.slice(0, open) })
}

const parseFrame = (line: string): Frame | null => {
  const v8Match = v8.exec(line)
  if (v8Match?.[1] !== undefined) return v8Frame(v8Match[1].trimEnd().replace(/ \{$/, ''))
  const geckoMatch = gecko.exec(line.trim())
  return geckoMatch && toFrame({ file: geckoMatch[2], line: geckoMatch[3], function: geckoMatch[1] })
}

/** For an uncaught error, Node first prints the location, the source line, and a marker below it. */
const withoutExcerpt = (lines: readonly string[]): readonly string[] => {
  const mark = lines.slice(0, maxOfExcerpt).findIndex((line) => /^\s{0,400}\^{1,80}\s{0,9}$/.test(line))
  return mark > 0 && location.test(lines[0] ?? '') ? lines.slice(mark + 1) : lines
}
const maxOfExcerpt = 6

const framesIn = (lines: readonly string[]): readonly Frame[] => lines.map(parseFrame).filter((frame) => frame !== null)

/** V8 (Node, Chrome, Edge, Deno, Bun), Firefox and Safari. Causes that Node prints below the stack are separate. */
export const javascript: StackReader = (lines) => {
  const causeAt = lines.findIndex((line) => cause.test(line))
  const own = causeAt === -1 ? lines : lines.slice(0, causeAt)
  const ownFrames = framesIn(own)
  // Some errors only wrap another one and have no frames.
  const frames = ownFrames.length > 0 ? ownFrames : framesIn(lines)
  if (!frames.some((frame) => frame.file !== null)) return null
  const causes = lines.flatMap((line) => {
    const text = cause.exec(line)?.[1]
    return text ? [stackHeader(text)] : []
  })
  return { ...stackHeaderWithin(linesBefore(withoutExcerpt(own), (line) => parseFrame(line) !== null)), frames, causes }
}
