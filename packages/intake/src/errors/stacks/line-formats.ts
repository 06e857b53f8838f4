import { type Frame, toFrame } from '../frame.ts'
import { classLast } from './ruby.ts'
import { linesBefore, type StackHeader, type StackReader, stackHeader } from './stack-reader.ts'

/** A language with one frame per line. The expressions have groups `file`, `line`, and `name`. */
type LineFormat = {
  /** A pattern in every stack of the language, checked before the lines are parsed. */
  readonly sign: RegExp
  readonly frame: RegExp
  /** Frames of the language itself and of its bundled packages. */
  readonly library?: RegExp
  /** Finds class and message in the whole text, unless they are `Class: message` above the first frame. */
  readonly title?: RegExp
  /** Decoration around the title. */
  readonly decoration?: RegExp
  /** The class is last, in parentheses. */
  readonly isClassLast?: true
  readonly isOldestFirst?: true
}

const sources = '(?:c|cc|cpp|cxx|c\\+\\+|h|hh|hpp|m|mm|swift|cu)'

export const lineFormats = {
  rust: {
    sign: /\bpanicked at /,
    frame: /panicked at (?:'[^\n]{0,900}', )?(?<file>[^\s']{1,600}?):(?<line>\d{1,9})(?::\d{1,9})?:?$/,
    title:
      /panicked at (?:'(?<message>[^\n]{0,900})', |[^\s']{1,600}:\n(?<below>[^\n]{1,2000}(?:\n(?!stack backtrace:|note: )[^\n]{1,1000}){0,9}))/,
  },
  dart: {
    sign: /#\d/,
    frame: /^#\d{1,4}\s{1,8}(?<name>.{1,300}?) \((?<file>.{1,600}?):(?<line>\d{1,9})(?::\d{1,9})?\)$/,
    title: /The following (?<exception>_?[A-Z]\w{0,200}) was thrown[^\n]{0,300}:\n(?<message>[^\n]{1,2000})/,
  },
  native: {
    sign: new RegExp(`\\.${sources}:\\d`),
    frame: new RegExp(
      `^\\s{0,16}(?:\\* )?(?:frame )?#?\\d{1,4}:?\\s{1,4}(?:0x[0-9a-f]{1,16} in )?(?<name>[\\w$:~<>.]{1,200})(?:[^\\n]{0,300} )(?<file>[^\\s:]{1,300}\\.${sources}):(?<line>\\d{1,9})(?::\\d{1,9})?$`,
    ),
    library: /\/(?:glibc[\w.-]{0,40}|sysdeps|compiler-rt|libsanitizer|csu|usr\/include)\//,
    decoration: /^(?:={3,80}\s)?==\d{1,10}== ?(?:ERROR: )?/,
  },
  julia: {
    sign: /\.jl:\d/,
    frame:
      /^\s{1,16}(?:@ (?:(?<name>\w{1,100}) )?|\[\d{1,4}\] .{0,300} at )(?<file>[^\s:]{1,600}\.jl):(?<line>\d{1,9})(?: \[inlined\])?$/,
    library: /[@ ] ?(?:Base |\.\/)/,
    decoration: /\nStacktrace:[\s\S]{0,2000}$|^(?:ERROR: )?(?:LoadError: )?/g,
  },
  nim: {
    sign: /\.nim\(\d/,
    frame: /^(?<file>[^\s(]{1,600}\.nim)\((?<line>\d{1,9})\)\s{1,40}(?<name>\S{1,200})$/,
    title: /^Error: (?:unhandled exception: )?(?<message>[^\n[]{1,2000}?)(?: \[(?<exception>\w{1,200})\])?$/m,
    isOldestFirst: true,
  },
  crystal: {
    sign: /from \S{1,600}:\d{1,9}:\d{1,9} in '/,
    frame: /^\s{1,16}from (?<file>[^\s:]{1,600}):(?<line>\d{1,9}):\d{1,9} in '(?<name>.{1,300})'$/,
    isClassLast: true,
  },
  haskell: {
    sign: /, called at /,
    frame: /^\s{1,16}(?<name>[^\s,]{1,200}), called at (?<file>[^\s:]{1,600}):(?<line>\d{1,9}):\d{1,9} in \S{1,200}$/,
    library: / at libraries\/| in (?:ghc|base)/,
    decoration: /\n?CallStack \(from HasCallStack\):/,
  },
  ocaml: {
    sign: /\bfile "/,
    frame:
      /^(?:Raised (?:at|by primitive operation at)|Re-raised at|Called from) (?:(?<name>\S{1,200}) in )?file "(?<file>[^"]{1,600})"(?: \(inlined\))?, line (?<line>\d{1,9})/,
    library: / Stdlib/,
    title:
      /^(?:Fatal error: )?exception (?<exception>[A-Z][\w.]{0,250})(?:[ (]{1,2}"?(?<message>[^\n"]{1,2000})"?\)?)?$/m,
  },
  elixir: {
    sign: /\.(?:exs?|erl|eex|heex):\d/,
    frame:
      /^\s{1,16}(?:\([a-z_]{1,60}[^()]{0,60}\) )?(?<file>[^\s:()]{1,400}\.(?:exs?|erl|eex|heex)):(?<line>\d{1,9}): (?<name>.{1,300})$/,
    library:
      /^\s{1,16}\((?:elixir|stdlib|kernel|erts|eex|mix|iex|logger|ex_unit|phoenix\w{0,40}|plug\w{0,40}|bandit|thousand_island|cowboy|ranch|ecto\w{0,40}|db_connection|oban|telemetry)[ )]/,
    // A process that exits because of an exception names both; the exception is below.
    title: /\*\* \((?!exit\))(?<exception>[\w.]{1,250})\) (?<message>[^\n]{1,2000})/,
  },
  lua: {
    sign: /:\d{1,9}: in /,
    frame: /^\s{1,16}(?<file>[^\s:]{1,600}):(?<line>\d{1,9}): in (?<name>.{1,300})$/,
    decoration: /\n?stack traceback:[\s\S]{0,2000}$/,
  },
  perl: {
    sign: / called at /,
    frame:
      /^(?:\s{1,16}(?<name>[\w:]{1,300})\(.{0,600}\) called| {0,4}\S.{0,900}) at (?<file>[^\s]{1,600}) line (?<line>\d{1,9})(?:, <\w{1,40}> (?:line|chunk) \d{1,12})?\.?$/,
    title: /^(?<message>[^\n]{1,900}) at [^\s]{1,600} line \d/,
  },
  r: {
    sign: /\.[rR]#\d/,
    frame: /^\s{0,4}\d{1,4}: (?<name>.{1,600}) at (?<file>[^\s#]{1,600}\.[rR])#(?<line>\d{1,9})$/,
  },
} as const satisfies Readonly<Record<string, LineFormat>>

const parseTitle = ({ title, decoration, isClassLast }: LineFormat, head: string, text: string): StackHeader => {
  const { exception, message, below } = title?.exec(text)?.groups ?? {}
  if (exception ?? message ?? below) {
    const titleText = message ?? below?.trim() ?? exception
    return { exception: exception ?? null, message: titleText || null }
  }
  return isClassLast ? classLast(head) : stackHeader(decoration === undefined ? head : head.replace(decoration, ''))
}

/** Creates the reader of a described language. */
export const createReader = (language: LineFormat): StackReader => {
  const parseFrame = (line: string): Frame | null => {
    const { file, line: number, name } = language.frame.exec(line.trimEnd())?.groups ?? {}
    if (file === undefined) return null
    const isLibrary = language.library?.test(line) === true
    return toFrame({ file, line: number, function: name, ...(isLibrary ? { inApp: false } : {}) })
  }
  return (lines) => {
    const frames = lines.map(parseFrame).filter((frame) => frame !== null)
    if (frames.length === 0) return null
    const head = linesBefore(lines, (line) => parseFrame(line) !== null)
    return {
      ...parseTitle(language, head, lines.join('\n')),
      frames: language.isOldestFirst ? frames.reverse() : frames,
      causes: [],
    }
  }
}
