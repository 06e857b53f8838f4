import { isRecord } from '../../sanitize/json-path.ts'
import { pick, toList, toText } from '../json.ts'
import { dotnet } from './dotnet.ts'
import { go } from './go.ts'
import { java } from './java.ts'
import { javascript } from './javascript.ts'
import { createReader, lineFormats } from './line-formats.ts'
import { php } from './php.ts'
import { python } from './python.ts'
import { ruby } from './ruby.ts'
import { type StackReader, type StackReading, stackHeader } from './stack-reader.ts'

type Language = {
  /** A pattern in every stack of the language, checked before the lines are parsed. */
  readonly sign: RegExp
  readonly read: StackReader
}

// The most distinctive first: Ruby's bare `file:line` would also match other languages.
const { rust, dart, native, elixir, lua, perl, r, ...others } = lineFormats
const toLanguage = (language: Parameters<typeof createReader>[0]): Language => ({
  sign: language.sign,
  read: createReader(language),
})

const languages: readonly Language[] = [
  { sign: /Traceback|File "/, read: python },
  toLanguage(rust),
  { sign: /#\d/, read: php },
  toLanguage(dart),
  { sign: /\.(?:go|s):\d/, read: go },
  toLanguage(native),
  ...Object.values(others).map(toLanguage),
  {
    sign: /\((?:[\w$.-]{1,200}\.(?:java|kts?|scala|groovy|clj)|SourceFile|Native Method|Unknown Source|<generated>|[\w$-]{1,200}:\d)/,
    read: java,
  },
  // A line and a column. No .NET line ends like this, so the .NET reader need not try it.
  { sign: /:\d{1,9}:\d{1,9}\)?(?:\s|$)/, read: javascript },
  { sign: /:\D{0,8}\d{1,9}\.?\s|:\D{0,8}\d{1,9}\.?$|\)\s|\)$/, read: dotnet },
  { sign: /at |@/, read: javascript },
  ...[elixir, lua, perl, r].map(toLanguage),
  { sign: /:\d/, read: ruby },
]

// Lines are truncated, so that the work is bounded for any input.
const maxStackLength = 131_072
const maxLines = 1_000
const maxLineLength = 1_000

/** A stack is one text, a list of lines, or an object that contains the text. */
const asText = (stack: unknown): string | null => {
  if (isRecord(stack)) return toText(pick(stack, 'text', 'raw', 'report', 'trace', 'stack'))
  if (!Array.isArray(stack)) return toText(stack)
  const lines = toList(stack)
    .slice(0, maxLines)
    .filter((line) => typeof line === 'string')
  return lines.length === 0 ? null : lines.join('\n')
}

const classLike = /(?:Error|Exception|Fault|Failure|Panic|Warning)$/

/** A title without frames still names the class. */
const titleOnly = (text: string): StackReading | null => {
  const title = stackHeader(text)
  return title.exception !== null && classLike.test(title.exception) ? { ...title, frames: [], causes: [] } : null
}

const readText = (given: string): StackReading | null => {
  const cut = given.slice(0, maxStackLength)
  // Nitro and Werkzeug format the stack for a page.
  const text = /^\s{0,9}<(?:pre|span)\b/.test(cut) ? cut.replace(/<[^<>]{1,200}>/g, '') : cut
  const lines = text.split(/\r\n|\n|\r/, maxLines).map((line) => line.slice(0, maxLineLength))
  for (const { sign, read } of languages) {
    const reading = sign.test(text) ? read(lines) : null
    if (reading !== null) return reading
  }
  return titleOnly(lines.join('\n'))
}

/** The last parsed stack, cached because several steps read the same text. */
let latest: { readonly text: string; readonly reading: StackReading | null } | undefined

/** Parses a stack trace in text form, in any supported language. Null if it is not one. */
export const readStack = (stack: unknown): StackReading | null => {
  const text = asText(stack)
  if (text === null) return null
  if (latest?.text !== text) latest = { text, reading: readText(text) }
  return latest.reading
}
