import { type Frame, toFrame } from '../frame.ts'
import type { StackReader } from './stack-reader.ts'

// Reports of a crash as Apple's systems write them.

const type = /^Exception Type: {1,8}(\S{1,80})(?: \(([^)]{1,80})\))?/
const reason =
  /^(?:Exception (?:Message|Reason|Subtype)|Application Specific Information|Termination Reason): {0,8}(\S.{0,1000})?$/
const crashed = /^Thread \d{1,5} Crashed:/
/** `1   Shop   0x0000000104b2 Cart.total() + 42 (Cart.swift:42)` */
const frame = /^\d{1,4}\s{1,8}(\S.{0,200}?)\s{1,80}0x[0-9a-f]{1,16} (.{1,600}?)(?: \(([^()\s:]{1,300}):(\d{1,9})\))?$/
const systemImages =
  /^lib(?:system|dispatch|objc|swift|c\+\+|dyld)|^(?:CoreFoundation|Foundation|UIKit\w{0,20}|AppKit|dyld|GraphicsServices|QuartzCore|SwiftUI)$/

const frameOf = (line: string): Frame | null => {
  const [, image = '', called, file, number] = frame.exec(line.trimEnd()) ?? []
  if (called === undefined) return null
  return toFrame({ file, line: number, function: called, inApp: !systemImages.test(image) })
}

/** The thread that crashed, up to the empty line below it. */
const crashedThread = (lines: readonly string[]): readonly string[] => {
  const first = lines.findIndex((line) => crashed.test(line)) + 1
  const end = lines.findIndex((line, index) => index > first && line.trim() === '')
  return first === 0 ? [] : lines.slice(first, end === -1 ? undefined : end)
}

const saidIn = (lines: readonly string[]): string | null => {
  const at = lines.findIndex((line) => reason.test(line))
  const said = reason.exec(lines[at] ?? '')?.[1] ?? lines[at + 1]
  return at === -1 ? null : (said?.trim() ?? null)
}

/** The type stands for the class; what Apple says beside it, or the signal, for the message. */
export const apple: StackReader = (lines) => {
  const found = lines.map((line) => type.exec(line)).find((match) => match !== null)
  if (!found) return null
  const frames = crashedThread(lines)
    .map(frameOf)
    .filter((one) => one !== null)
  return { exception: found[1] ?? null, message: saidIn(lines) ?? found[2] ?? null, frames, causes: [] }
}
