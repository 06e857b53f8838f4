import { type Frame, toFrame } from '../frame.ts'
import { isObject, type JsonObject, objectsOf, pick } from '../json.ts'
import type { ErrorRecord } from '../record.ts'

/** How one sender writes errors. Recognised by shape alone: bodies are forwarded under any name and header. */
export type Format = {
  readonly name: string
  readonly about: FormatDocs
  readonly recognises: (report: JsonObject) => boolean
  /** One record for each error in it. None when the body holds something else (a session, a transaction). */
  readonly read: (report: JsonObject) => readonly ErrorRecord[]
}

/** What the documentation says of a format, in Markdown: how it is known, and which of its fields are read. */
export type FormatDocs = {
  readonly title: string
  readonly by: string
  readonly message: string
  readonly exception: string
  readonly place: string
  /** Application, environment and severity, between middle dots; then whatever else it has. */
  readonly context: string
}

/** Under which keys a frame holds what. The first key that holds something wins. */
export type FrameKeys = {
  readonly first: 'newest' | 'oldest'
  readonly file: readonly string[]
  readonly line: readonly string[]
  readonly function: readonly string[]
  readonly module?: readonly string[]
  readonly inApp?: (frame: JsonObject) => unknown
}

const mostFrames = 100

export const readFrames = (list: unknown, keys: FrameKeys): Frame[] => {
  const found = objectsOf(list)
  const newest = keys.first === 'newest' ? found.slice(0, mostFrames) : found.slice(-mostFrames).reverse()
  return newest.map((frame) =>
    toFrame({
      file: pick(frame, ...keys.file),
      line: pick(frame, ...keys.line),
      function: pick(frame, ...keys.function),
      module: keys.module && pick(frame, ...keys.module),
      inApp: keys.inApp?.(frame),
    }),
  )
}

const mostCauses = 20

/** The objects that hang below each other under one of these keys, nearest first. A chain has an end even in a circle of text. */
export const chain = (top: unknown, ...keys: readonly string[]): JsonObject[] => {
  const found: JsonObject[] = []
  let next = pick(top, ...keys)
  while (isObject(next) && found.length < mostCauses) {
    found.push(next)
    next = pick(next, ...keys)
  }
  return found
}
