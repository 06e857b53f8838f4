import { isObject, listOf, pick, textOf } from '../json.ts'
import { apple } from './apple.ts'
import { dotnet } from './dotnet.ts'
import { erlang, haskell, ocaml } from './functional.ts'
import { go } from './go.ts'
import { java } from './java.ts'
import { javascript } from './javascript.ts'
import { crystal, native, nim } from './native.ts'
import { dart, elixir, rust } from './other-languages.ts'
import { php } from './php.ts'
import { python } from './python.ts'
import { ruby } from './ruby.ts'
import { julia, lua, perl, r } from './scripting.ts'
import { type StackReader, type StackReading, stackHeader } from './stack-reader.ts'

type Language = {
  /** What every stack of the language has in it, looked for before its lines are read one by one. */
  readonly sign: RegExp
  readonly read: StackReader
}

// The most distinctive first: Ruby's bare `file:line` would also match lines of others.
const languages: readonly Language[] = [
  { sign: /^Exception Type: /m, read: apple },
  { sign: /Traceback|File "/, read: python },
  { sign: /\bpanicked at /, read: rust },
  { sign: /#\d/, read: php },
  { sign: /#\d/, read: dart },
  { sign: /\.(?:go|s):\d/, read: go },
  { sign: /\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|m|mm|swift|cu):\d/, read: native },
  { sign: /\.jl:\d/, read: julia },
  { sign: /\.nim\(\d/, read: nim },
  { sign: /from \S{1,600}:\d{1,9}:\d{1,9} in '/, read: crystal },
  { sign: /, called at /, read: haskell },
  { sign: /\bfile "/, read: ocaml },
  { sign: /\{file,"/, read: erlang },
  {
    sign: /\((?:[\w$.-]{1,200}\.(?:java|kts?|scala|groovy|clj)|SourceFile|Native Method|Unknown Source|<generated>|[\w$-]{1,200}:\d)/,
    read: java,
  },
  // A line and a column: .NET has neither of its lines end so, and would try each of them.
  { sign: /:\d{1,9}:\d{1,9}\)?(?:\s|$)/, read: javascript },
  { sign: /:\D{0,8}\d{1,9}\.?\s|:\D{0,8}\d{1,9}\.?$|\)\s|\)$/, read: dotnet },
  { sign: /at |@/, read: javascript },
  { sign: /\.(?:exs?|erl|eex|heex):\d/, read: elixir },
  { sign: /:\d{1,9}: in /, read: lua },
  { sign: / called at /, read: perl },
  { sign: /\.[rR]#\d/, read: r },
  { sign: /:\d/, read: ruby },
]

// A stack is read line by line, and lines are cut: the work is bounded whatever was sent.
const longestStack = 131_072
const mostLines = 1_000
const longestLine = 1_000

/** A stack comes as one text, as a list of lines, or as an object with the text in it. */
const asText = (stack: unknown): string | null => {
  if (isObject(stack)) return textOf(pick(stack, 'text', 'raw', 'report', 'trace', 'stack'))
  if (!Array.isArray(stack)) return textOf(stack)
  const lines = listOf(stack)
    .slice(0, mostLines)
    .filter((line) => typeof line === 'string')
  return lines.length === 0 ? null : lines.join('\n')
}

const classLike = /(?:Error|Exception|Fault|Failure|Panic|Warning)$/

/** A title that lost its frames still names the class. */
const titleOnly = (text: string): StackReading | null => {
  const title = stackHeader(text)
  return title.exception !== null && classLike.test(title.exception) ? { ...title, frames: [], causes: [] } : null
}

const readText = (given: string): StackReading | null => {
  const text = given.slice(0, longestStack)
  const lines = text.split(/\r\n|\n|\r/, mostLines).map((line) => line.slice(0, longestLine))
  for (const { sign, read } of languages) {
    const reading = sign.test(text) ? read(lines) : null
    if (reading !== null) return reading
  }
  return titleOnly(lines.join('\n'))
}

/** The stack that was read last: the steps that read one report ask about the same text several times. */
let latest: { readonly text: string; readonly reading: StackReading | null } | undefined

/** Reads a stack that was written as text, in whichever language it is. Null when it is no stack. */
export const readStack = (stack: unknown): StackReading | null => {
  const text = asText(stack)
  if (text === null) return null
  if (latest?.text !== text) latest = { text, reading: readText(text) }
  return latest.reading
}
