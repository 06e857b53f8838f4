import { listOf, textOf } from '../json.ts'
import { dotnet } from './dotnet.ts'
import { go } from './go.ts'
import { java } from './java.ts'
import { javascript } from './javascript.ts'
import { dart, elixir, rust } from './other-languages.ts'
import { php } from './php.ts'
import { python } from './python.ts'
import { headline, type StackReader, type StackReading } from './reading.ts'
import { ruby } from './ruby.ts'

// The most distinctive first: Ruby's bare `file:line` would also match lines of others.
const languages: readonly StackReader[] = [python, php, dart, go, java, dotnet, javascript, rust, elixir, ruby]

// A stack is read line by line, and lines are cut: the work is bounded whatever was sent.
const longestStack = 131_072
const mostLines = 1_000
const longestLine = 1_000

/** A stack comes as one text or as a list of lines. */
const asText = (stack: unknown): string | null => {
  if (!Array.isArray(stack)) return textOf(stack)
  const lines = listOf(stack)
    .slice(0, mostLines)
    .filter((line) => typeof line === 'string')
  return lines.length === 0 ? null : lines.join('\n')
}

const classLike = /(?:Error|Exception|Fault|Failure|Panic|Warning)$/

/** A title that lost its frames still names the class. */
const titleOnly = (text: string): StackReading | null => {
  const title = headline(text)
  return title.exception !== null && classLike.test(title.exception) ? { ...title, frames: [], causes: [] } : null
}

/** Reads a stack that was written as text, in whichever language it is. Null when it is no stack. */
export const readStack = (stack: unknown): StackReading | null => {
  const text = asText(stack)
  if (text === null) return null
  const lines = text
    .slice(0, longestStack)
    .split(/\r\n|\n|\r/, mostLines)
    .map((line) => line.slice(0, longestLine))
  for (const language of languages) {
    const reading = language(lines)
    if (reading !== null) return reading
  }
  return titleOnly(lines.join('\n'))
}
