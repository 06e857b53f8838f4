import { lineOf, textOf } from './json.ts'
import { isLibraryCode } from './library-code.ts'
import { cut, tidy } from './text.ts'

export type Frame = {
  readonly file: string | null
  readonly line: number | null
  readonly function: string | null
  readonly inApp: boolean
}

/** What a format found in one stack frame, as it stood there. */
export type FoundFrame = {
  readonly file?: unknown
  readonly line?: unknown
  readonly function?: unknown
  /** The class or package that the function belongs to. It helps to judge whose code it is. */
  readonly module?: unknown
  /** Whether the code is the application's own. Anything but a boolean: we judge by the path. */
  readonly inApp?: unknown
}

const longestPath = 1_024
const longestFunction = 256

export const toFrame = (found: FoundFrame): Frame => {
  const file = tidy(textOf(found.file), longestPath)
  const name = tidy(textOf(found.function), longestFunction)
  const owner = textOf(found.module)
  const inApp =
    typeof found.inApp === 'boolean'
      ? found.inApp
      : !isLibraryCode(file, owner === null ? name : `${cut(owner, longestFunction)}.`)
  return { file, line: lineOf(found.line), function: name, inApp }
}

/** Where it went wrong: the newest frame of the application's own, or the newest at all when none is. Newest first. */
export const crashSite = (frames: readonly Frame[]): Frame | null =>
  frames.find((frame) => frame.inApp && frame.file !== null) ?? frames.find((frame) => frame.file !== null) ?? null

const trailingLine = /^(.{1,1024}?):(\d{1,9})(?::\d{1,9})?$/

/** `app/cart.php:12` as file and line. A lone drive letter (`C:\cart.php`) is part of the file. */
export const splitLocation = (location: unknown): { readonly file: string | null; readonly line: number | null } => {
  const text = textOf(location)
  const match = text === null || text.length > longestPath ? null : trailingLine.exec(text)
  return match === null ? { file: text, line: null } : { file: textOf(match[1]), line: lineOf(match[2]) }
}
