import { type Frame, toFrame } from '../frame.ts'
import { linesBefore, type StackHeader, type StackReader, stackHeader } from './stack-reader.ts'

// Languages whose stacks need one expression each.

type FrameExpression = {
  readonly frame: RegExp
  readonly file: number
  readonly line: number
  readonly function: number
}

type FrameOf = (line: string) => Frame | null

/** A language whose frames stand one on a line, the newest first, below the title. */
export const readerOf =
  (frameOf: FrameOf, title: (text: string) => StackHeader = stackHeader): StackReader =>
  (lines) => {
    const found = lines.map(frameOf)
    const frames = found.filter((frame) => frame !== null)
    if (frames.length === 0) return null
    return { ...title(linesBefore(lines, (line) => frameOf(line) !== null)), frames, causes: [] }
  }

export const frameOfExpression =
  ({ frame, ...groups }: FrameExpression): FrameOf =>
  (line) => {
    const match = frame.exec(line.trimEnd())
    return match && toFrame({ file: match[groups.file], line: match[groups.line], function: match[groups.function] })
  }
