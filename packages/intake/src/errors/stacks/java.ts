import { type Frame, toFrame } from '../frame.ts'
import { type StackHeader, type StackReader, stackHeader } from './stack-reader.ts'

const frameLine =
  /^\s{0,16}(?:at )?((?:[\w.$@/<>-]{1,400})\.[\w$<>-]{1,200}) ?\((?:([\w$.-]{1,200}\.(?:java|kt|kts|scala|groovy|clj)|SourceFile|[\w$-]{1,200}(?=:\d))(?::(\d{1,9}))?|Native Method|Unknown Source|<generated>|[\w$.-]{1,200}\.(?:java|kt))\)/
const causedBy = /^\s*(?:Caused by|Suppressed): (.*)$/
const nameOnly = /^([\w.$]{1,260})(?::|$)/
/** A throwable is preceded by at most the time, the thread, and the logger. */
const maxWords = 40
const throwableName = /.(?:Exception|Error|Throwable|Failure|Fault)$/

const isThrowableLine = (line: string): boolean =>
  line.startsWith('Exception in thread ') || throwableName.test(nameOnly.exec(line)?.[1] ?? '')

const parseFrame = (line: string): Frame | null => {
  const match = frameLine.exec(line)
  return match && toFrame({ file: match[2], line: match[3], function: match[1] })
}

/** A logger may write its own line or prefix first. The title is the line that names a throwable. */
const title = (lines: readonly string[]): StackHeader => {
  const from = lines.findIndex((line) => isThrowableLine(line.trim()))
  if (from !== -1) return stackHeader(lines.slice(from).join('\n'))
  const text = lines.join('\n')
  const named = text.split(/(?<=\s)/, maxWords).findIndex((word) => /:\s$/.test(word) && isThrowableLine(word.trim()))
  return stackHeader(
    named === -1
      ? text
      : text
          .split(/(?<=\s)/)
          .slice(named)
          .join(''),
  )
}

/** Java, Kotlin, Scala, Groovy, Clojure. The first throwable was raised; each `Caused by` is a cause. */
export const java: StackReader = (lines) => {
  const first = lines.findIndex((line) => frameLine.test(line))
  if (first === -1) return null
  const below = lines.findIndex((line, index) => index > first && causedBy.test(line))
  const own = below === -1 ? lines : lines.slice(0, below)
  const causes = lines.flatMap((line) => {
    const text = causedBy.exec(line)?.[1]
    return text ? [stackHeader(text)] : []
  })
  const frames = own.map(parseFrame).filter((frame) => frame !== null)
  return { ...title(lines.slice(0, first)), frames, causes }
}
