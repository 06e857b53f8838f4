import { type Frame, toFrame } from '../frame.ts'
import { type StackHeader, type StackReader, stackHeader } from './stack-reader.ts'

const start = /^(?:Exception Group )?Traceback \(most recent call last\)/
const frameLine = /^\s*File "([^"]+)",? [Ll]ine (\d{1,9})(?:, in (.+))?/
/** A crash of the interpreter prints the stack in reverse order, below its title. */
const newestFirst = /\(most recent call first\):/
/** Exception groups draw their members into a tree of bars, with a ruler above each. */
const drawnStart = /^\s*[|+] (?:Exception Group )?Traceback /
const bar = /^\s*[|+] ?/
const ruler = /^\s*\+?-?\+-{4,}/
/** The end of a title: the ruler of the next member, or the sentence between two tracebacks. */
const titleEnd = /^(?:-----|The above exception was the direct cause|During handling of the above exception)/

type Traceback = { readonly frames: readonly Frame[]; readonly title: StackHeader }

const parseFrame = (line: string): Frame | null => {
  const match = frameLine.exec(line)
  return match && toFrame({ file: match[1], line: match[2], function: match[3] })
}

/** Python lists the oldest call first. Code below a frame is indented, so the title is the first unindented line. */
const traceback = (lines: readonly string[]): Traceback => {
  const frames = lines.map(parseFrame).filter((frame) => frame !== null)
  const crashed = lines.findIndex((line) => newestFirst.test(line))
  if (crashed !== -1) return { frames, title: stackHeader(lines.slice(0, crashed).join('\n')) }
  const afterFrames = lines.slice(lines.findLastIndex((line) => frameLine.test(line)) + 1)
  const from = afterFrames.findIndex((line) => /^\S/.test(line))
  const end = afterFrames.findIndex((line, index) => index > from && titleEnd.test(line))
  const title = from === -1 ? '' : afterFrames.slice(from, end === -1 ? undefined : end).join('\n')
  return { frames: frames.reverse(), title: stackHeader(title) }
}

const withoutTree = (line: string): string => (ruler.test(line) ? '-----' : line.replace(bar, ''))

const blocks = (lines: readonly string[]): string[][] => {
  const found: string[][] = [[]]
  for (const line of lines) {
    if (start.test(line)) found.push([])
    else found.at(-1)?.push(line)
  }
  return found.filter((block) => block.some((line) => frameLine.test(line)))
}

/** The last traceback was raised; the earlier ones are its causes. */
export const python: StackReader = (lines) => {
  const drawn = lines.some((line) => drawnStart.test(line))
  const plain = drawn ? lines.map(withoutTree) : lines
  const tracebacks = blocks(plain).map(traceback)
  // A group prints itself first and its members below; a chain prints its end last.
  const raised = drawn ? tracebacks[0] : tracebacks.at(-1)
  if (raised === undefined) return null
  const others = tracebacks.filter((other) => other !== raised).map((other) => other.title)
  return { ...raised.title, frames: raised.frames, causes: drawn ? others : others.reverse() }
}
