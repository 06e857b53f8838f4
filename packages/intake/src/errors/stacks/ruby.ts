import { type Frame, toFrame } from '../frame.ts'
import { type StackHeader, type StackReader, stackHeader } from './stack-reader.ts'

const frameStart = /^\s{0,16}(?:\d{1,4}: )?(?:from )?((?:[A-Za-z]:)?[^\s:"'][^:"]{0,600}):(\d{1,9}):in [`']/
const bareLine =
  /^\s{0,16}(?:from )?((?:[A-Za-z]:)?[^\s:][^:]{0,600}?\.(?:rb|erb|haml|slim|rake|ru)):(\d{1,9})(?::in .{0,400})?$/
const className = /^[A-Z][\w:]{0,250}$/

const parseFrame = (line: string): Frame | null => {
  const start = frameStart.exec(line)
  if (start !== null) return toFrame({ file: start[1], line: start[2], function: quotedAfter(start).name })
  const bare = bareLine.exec(line)
  return bare && toFrame({ file: bare[1], line: bare[2] })
}

/** The method between quotes, and the message after it on the first line of a stack. */
function quotedAfter({ 0: start, input }: RegExpExecArray): { readonly name: string; readonly message?: string } {
  const rest = input.slice(start.length)
  const colon = rest.indexOf(': ')
  const name = (colon === -1 ? rest : rest.slice(0, colon)).replace(/'$/, '')
  return colon === -1 ? { name } : { name, message: rest.slice(colon + 2) }
}

/** Ruby names the class last: `app.rb:3:in 'pay': no funds (PaymentError)`. */
export const classLast = (text: string): StackHeader => {
  const bare = text.trim().replace(/^Unhandled exception: /, '')
  const open = bare.endsWith(')') ? bare.lastIndexOf(' (') : -1
  const exception = bare.slice(open + 2, -1)
  return open !== -1 && className.test(exception) ? { exception, message: bare.slice(0, open) } : stackHeader(text)
}

export const ruby: StackReader = (lines) => {
  const frames = lines.map(parseFrame).filter((frame) => frame !== null)
  if (frames.length === 0) return null
  const first = lines.findIndex((line) => parseFrame(line) !== null)
  const start = frameStart.exec(lines[first] ?? '')
  const inline = start === null ? undefined : quotedAfter(start).message
  return { ...classLast(inline ?? lines.slice(0, first).join('\n')), frames, causes: [] }
}
