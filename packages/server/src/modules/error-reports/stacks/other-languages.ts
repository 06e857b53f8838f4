import { type Frame, toFrame } from '../frame.ts'
import { headline, linesBefore, type StackReader } from './reading.ts'

// Languages whose stacks need one expression each.

type FrameExpression = {
  readonly frame: RegExp
  readonly file: number
  readonly line: number
  readonly function: number
}

const reader = (
  { frame, ...groups }: FrameExpression,
  title: (text: string) => ReturnType<typeof headline>,
): StackReader => {
  const frameOf = (line: string): Frame | null => {
    const match = frame.exec(line.trimEnd())
    return match && toFrame({ file: match[groups.file], line: match[groups.line], function: match[groups.function] })
  }
  return (lines) => {
    const frames = lines.map(frameOf).filter((found) => found !== null)
    if (frames.length === 0) return null
    return { ...title(linesBefore(lines, (line) => frameOf(line) !== null)), frames, causes: [] }
  }
}

/** `#0      main (package:shop/main.dart:12:5)` */
export const dart = reader(
  { frame: /^#\d{1,4}\s{1,8}(.{1,300}?) \((.{1,600}?):(\d{1,9})(?::\d{1,9})?\)$/, file: 2, line: 3, function: 1 },
  headline,
)

/** `** (RuntimeError) boom` above `    (shop 0.1.0) lib/cart.ex:12: Cart.pay/1` */
export const elixir = reader(
  {
    frame: /^\s{1,16}(?:\([^()]{1,120}\) )?([^\s:()]{1,400}\.(?:exs?|erl|eex|heex)):(\d{1,9}): (.{1,300})$/,
    file: 1,
    line: 2,
    function: 3,
  },
  (text) => {
    const match = /\*\* \(([\w.]{1,250})\) ([\s\S]*)$/.exec(text)
    return match ? { exception: match[1] ?? null, message: match[2]?.trim() ?? null } : headline(text)
  },
)

/** `thread 'main' panicked at src/main.rs:4:5:` with the message below, or between quotes in older versions. */
export const rust: StackReader = (lines) => {
  const from = lines.findIndex((line) => /\bpanicked at /.test(line))
  const head = lines[from]
  if (head === undefined) return null
  const older = /panicked at '([\s\S]{0,2000})', (.{1,600}?):(\d{1,9})(?::\d{1,9})?$/.exec(head)
  const newer = /panicked at (.{1,600}?):(\d{1,9})(?::\d{1,9})?:?$/.exec(head)
  if (older)
    return {
      exception: null,
      message: older[1] ?? null,
      frames: [toFrame({ file: older[2], line: older[3] })],
      causes: [],
    }
  if (newer === null) return null
  const rest = lines.slice(from + 1)
  const end = rest.findIndex((line) => /^(?:stack backtrace:|note: )/.test(line))
  const message =
    rest
      .slice(0, end === -1 ? undefined : end)
      .join('\n')
      .trim() || null
  return { exception: null, message, frames: [toFrame({ file: newer[1], line: newer[2] })], causes: [] }
}
