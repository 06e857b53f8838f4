import { type Frame, toFrame } from '../frame.ts'
import { frameOfExpression, readerOf } from './frame-expression.ts'
import { type StackReader, stackHeader } from './stack-reader.ts'

/** Flutter tells of an error in sentences: its class, what went on, and what was said. */
const caught = /The following (_?[A-Z]\w{0,200}) was thrown[^\n]{0,300}:\n([^\n]{1,2000})/

const dartTitle = (text: string) => {
  const [, exception, message] = caught.exec(text) ?? []
  return exception === undefined || message === undefined ? stackHeader(text) : { exception, message }
}

/** `#0      main (package:shop/main.dart:12:5)` */
export const dart = readerOf(
  frameOfExpression({
    frame: /^#\d{1,4}\s{1,8}(.{1,300}?) \((.{1,600}?):(\d{1,9})(?::\d{1,9})?\)$/,
    file: 2,
    line: 3,
    function: 1,
  }),
  dartTitle,
)

const elixirFrame =
  /^\s{1,16}(?:\(([a-z_]{1,60})[^()]{0,60}\) )?([^\s:()]{1,400}\.(?:exs?|erl|eex|heex)):(\d{1,9}): (.{1,300})$/
/** Applications that come with the language or serve every request. */
const elixirLibraries =
  /^(?:elixir|stdlib|kernel|erts|eex|mix|iex|logger|ex_unit|phoenix|phoenix_\w{1,40}|plug|plug_\w{1,40}|bandit|thousand_island|cowboy|ranch|ecto|ecto_sql|db_connection|oban|telemetry)$/

const elixirFrameOf = (line: string): Frame | null => {
  const match = elixirFrame.exec(line.trimEnd())
  if (match === null) return null
  const isLibrary = match[1] !== undefined && elixirLibraries.test(match[1])
  return toFrame({ file: match[2], line: match[3], function: match[4], ...(isLibrary ? { inApp: false } : {}) })
}

/** A process that exits because of an exception names both; the exception stands below. */
const elixirTitle = (text: string) => {
  const raised = /an exception was raised:\s{0,40}\*\* \(/.exec(text)
  const from = raised === null ? text : text.slice(raised.index)
  const match = /\*\* \(([\w.]{1,250})\) /.exec(from)
  if (match === null) return stackHeader(text)
  return { exception: match[1] ?? null, message: from.slice(match.index + match[0].length).trim() }
}

/** `** (RuntimeError) boom` above `    (shop 0.1.0) lib/cart.ex:12: Cart.pay/1` */
export const elixir = readerOf(elixirFrameOf, elixirTitle)

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
