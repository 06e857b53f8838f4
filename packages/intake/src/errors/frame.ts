import { cut, tidy } from '../sanitize/sanitize-text.ts'
import { toLine, toText } from './json.ts'
import { isLibraryCode } from './library-code.ts'

export type Frame = {
  readonly file: string | null
  readonly line: number | null
  readonly function: string | null
  readonly inApp: boolean
}

/** The raw values of one stack frame. */
export type FoundFrame = {
  readonly file?: unknown
  readonly line?: unknown
  readonly function?: unknown
  /** The class or package of the function. Helps to decide whether it is application code. */
  readonly module?: unknown
  /** Whether it is application code. If not a boolean, the path decides. */
  readonly inApp?: unknown
}

const maxPathLength = 1_024
const maxFunctionLength = 256

export const toFrame = (found: FoundFrame): Frame => {
  const file = tidy(toText(found.file), maxPathLength)
  const name = tidy(toText(found.function), maxFunctionLength)
  const owner = toText(found.module)
  const inApp =
    typeof found.inApp === 'boolean'
      ? found.inApp
      : !isLibraryCode(file, owner === null ? name : `${cut(owner, maxFunctionLength)}.`)
  return { file, line: toLine(found.line), function: name, inApp }
}

/** The location of the error: the newest application frame, or else the newest frame. Expects the newest first. */
export const crashSite = (frames: readonly Frame[]): Frame | null =>
  frames.find((frame) => frame.inApp && frame.file !== null) ?? frames.find((frame) => frame.file !== null) ?? null

const trailingLine = /^(.{1,1024}?):(\d{1,9})(?::\d{1,9})?$/

/** `app/cart.php:12` as file and line. A lone drive letter (`C:\cart.php`) is part of the file. */
export const splitLocation = (location: unknown): { readonly file: string | null; readonly line: number | null } => {
  const text = toText(location)
  const match = text === null || text.length > maxPathLength ? null : trailingLine.exec(text)
  return match === null ? { file: text, line: null } : { file: toText(match[1]), line: toLine(match[2]) }
}
