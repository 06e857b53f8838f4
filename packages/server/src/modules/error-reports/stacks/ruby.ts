import { type Frame, toFrame } from '../frame.ts'
import { type Headline, headline, type StackReader } from './reading.ts'

const frameLine =
  /^\s{0,16}(?:\d{1,4}: )?(?:from )?((?:[A-Za-z]:)?[^\s:"'][^:"]{0,600}?):(\d{1,9}):in ([`'].{0,400}?'?)(?:: (.*))?$/
const bareLine =
  /^\s{0,16}(?:from )?((?:[A-Za-z]:)?[^\s:][^:]{0,600}?\.(?:rb|erb|haml|slim|rake|ru)):(\d{1,9})(?::in .{0,400})?$/
const trailingClass = /^([\s\S]*) \(([A-Z][\w:]{0,250})\)$/

const frameOf = (line: string): Frame | null => {
  const match = frameLine.exec(line) ?? bareLine.exec(line)
  return match && toFrame({ file: match[1], line: match[2], function: match[3]?.replace(/^[`']|'$/g, '') })
}

/** Ruby names the class last: `app.rb:3:in 'pay': no funds (PaymentError)`. */
const title = (text: string): Headline => {
  const match = trailingClass.exec(text.trim())
  return match ? { exception: match[2] ?? null, message: match[1] ?? null } : headline(text)
}

export const ruby: StackReader = (lines) => {
  const frames = lines.map(frameOf).filter((frame) => frame !== null)
  if (frames.length === 0) return null
  const first = lines.findIndex((line) => frameOf(line) !== null)
  const inline = frameLine.exec(lines[first] ?? '')?.[4]
  return { ...title(inline ?? lines.slice(0, first).join('\n')), frames, causes: [] }
}
